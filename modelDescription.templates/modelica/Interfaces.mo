within @package@;
package Interfaces "What an imported FMU of the scene has to offer"
  extends Modelica.Icons.InterfacesPackage;

  partial block Fmu "Inputs, outputs and parameters of the FMU of scene @scene@"
@interface_parameters@
@fmu_inputs@
@fmu_outputs@
  end Fmu;
end Interfaces;
