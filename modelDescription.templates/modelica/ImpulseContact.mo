within @package@;
model ImpulseContact "Contact forces and impulses on the driven bodies of scene @scene@, from the C library"
  extends Modelica.Blocks.Icons.Block;
  parameter String sceneFile = Modelica.Utilities.Files.loadResource(
    "modelica://@package@/Resources/Data/scene.bin") "The scene as bytes";
@parameters@
@mass_parameters@
@frames@
@forces@
@jump_declarations@
  discrete Integer impacts(start=0, fixed=true) "Number of events at which velocities jump";
protected
  constant Integer bodyCount = @body_count@ "Number of driven bodies";
  constant Integer indicatorCount = @indicator_count@ "Number of event indicators";
  Direct.ContactScene contacts = Direct.ContactScene(
    sceneFile,
@names@,
@values@);
@velocities@
  parameter Real masses[bodyCount, 10] = {
@mass_rows@} "Mass, centre of mass and inertia of the bodies";
  Real motions[bodyCount, 18] "Positions, rotations and velocities of the bodies";
  Real wrenches[bodyCount, 6] "Force and torque on each body, world axes";
  Real z[indicatorCount] "Event indicators";
  Boolean apart[indicatorCount](each start=false, each fixed=true) "Domains of the indicators";
  discrete Integer updates(start=0, fixed=true) "Number of event updates";
  discrete Modelica.Units.SI.Time nextEvent(start=Modelica.Constants.inf, fixed=true)
    "Next event that depends on time alone";
  discrete Real jumps[bodyCount, 12](each start=0, each fixed=true)
    "Jumps of the velocities, impulses and their moments at the last event";
equation
  // One equation for all rows: OpenModelica does not solve for rows that functions give one by one.
  motions = {
@motions@};
  z = Direct.indicators(contacts, time, motions, indicatorCount, pre(updates));
  for i in 1:indicatorCount loop
    apart[i] = z[i] > 0;
  end for;
  when {@events@} then
    (updates, nextEvent, impacts, jumps) = Direct.impulses(
      contacts, time, motions, masses, pre(updates), pre(impacts));
  end when;
  wrenches = Direct.evaluate(contacts, time, motions, updates);
@wrenches@
@jump_equations@
  annotation(
    Icon(graphics={Text(extent={{-90, 30}, {90, -30}}, textString="impulse")}),
    Documentation(info="<html>
<p>Where bodies meet their velocities jump: connect each frame to that of a body that is
free and whose velocities are states (enforceStates=true), give its mass, centre of mass and inertia, and
add the jumps to its velocities:</p>
<pre>
when contact.impacts &gt; pre(contact.impacts) then
  reinit(body.v_0, pre(body.v_0) + contact.velocity_jump_body);
  reinit(body.w_a, pre(body.w_a) + contact.angular_jump_body);
end when;
</pre>
<p>Restitution and friction of the impulse are those of the scene. A body of mass 0 does not yield. An
approach slower than rest_speed, and bodies that touch at the start, are left to the contact force, which also
holds what stays in contact. Joints on a body are not seen: for mechanisms use FmuContact,
or laws without impulses.</p>
</html>"));
end ImpulseContact;
