within @package@;
model Contact "Contact forces on the driven bodies of scene @scene@, from the C library"
  extends Modelica.Blocks.Icons.Block;
  parameter String sceneFile = Modelica.Utilities.Files.loadResource(
    "modelica://@package@/Resources/Data/scene.bin") "The scene as bytes";
@parameters@
@frames@
@forces@
protected
  constant Integer bodyCount = @body_count@ "Number of driven bodies";
  constant Integer indicatorCount = @indicator_count@ "Number of event indicators";
  Direct.ContactScene contacts = Direct.ContactScene(
    sceneFile,
@names@,
@values@);
@velocities@
  Real motions[bodyCount, 18] "Positions, rotations and velocities of the bodies";
  Real wrenches[bodyCount, 6] "Force and torque on each body, world axes";
  Real z[indicatorCount] "Event indicators";
  Boolean apart[indicatorCount](each start=false, each fixed=true) "Domains of the indicators";
  discrete Integer updates(start=0, fixed=true) "Number of event updates";
  discrete Modelica.Units.SI.Time nextEvent(start=Modelica.Constants.inf, fixed=true)
    "Next event that depends on time alone";
equation
  // One equation for all rows: OpenModelica does not solve for rows that functions give one by one.
  motions = {
@motions@};
  z = Direct.indicators(contacts, time, motions, indicatorCount, pre(updates));
  for i in 1:indicatorCount loop
    apart[i] = z[i] > 0;
  end for;
  when {@events@} then
    (updates, nextEvent) = Direct.update(contacts, time, motions, pre(updates));
  end when;
  wrenches = Direct.evaluate(contacts, time, motions, updates);
@wrenches@
  annotation(
    Icon(graphics={Text(extent={{-90, 30}, {90, -30}}, textString="contact")}),
    Documentation(info="<html>
<p>Connect each frame to that of a body. Forces come from the C library in Resources/Library. An
indicator, the gap between two shapes in metres, changes its domain where a contact starts or ends;
the event update there finds which bodies touch and how fast they met, from which the damping
follows; in between forces are smooth.</p>
<p>Parameters are those of the scene. Use one object of this model for each scene; several share
nothing.</p>
</html>"));
end Contact;
