within @package@;
model FmuContact "Contact forces on the driven bodies of scene @scene@, from its FMU"
  extends Modelica.Blocks.Icons.Block;
  replaceable model Fmu = Interfaces.Fmu constrainedby Interfaces.Fmu
    "The FMU of the scene, as your tool imports it" annotation(choicesAllMatching=true);
@parameters@
@frames@
@inputs@
@fmu_forces@
  Fmu fmu@fmu_parameters@;
protected
@velocities@
@orientations@
equation
@fmu_motions@
@fmu_wrenches@
  annotation(
    Icon(graphics={Text(extent={{-90, 30}, {90, -30}}, textString="contact FMU")}),
    Documentation(info="<html>
<p>Import the FMU (<code>fmu-build build SCENE.toml -o @scene@.fmu --fmi 2</code>) with your tool, then
put it in where you use this model:</p>
<pre>
@package@.FmuContact contact(redeclare model Fmu = @scene@_me_FMU);
</pre>
<p>Without an imported FMU in its place <code>Fmu</code> is partial, and this model cannot be simulated.
README.md of the package shows a complete model. What is no parameter here is set where the FMU is inserted,
as in <code>redeclare model Fmu = @scene@_me_FMU(...)</code>. Inputs of this model need an equation or a
connection each.</p>
<p>The class that the import made needs the inputs, outputs and parameters of
<code>Interfaces.Fmu</code>, whose names are those of the FMU with an underscore for each of
<code>. [ ] ( ) ,</code> as OpenModelica writes them. Where your tool names them otherwise, write a
block that extends <code>Interfaces.Fmu</code> around the import.</p>
</html>"));
end FmuContact;
