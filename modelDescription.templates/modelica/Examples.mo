within @package@;
package Examples "Models that run as they are"
  extends Modelica.Icons.ExamplesPackage;

@example@
end Examples;
