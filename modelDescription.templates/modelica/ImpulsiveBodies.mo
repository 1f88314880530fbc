  model ImpulsiveBodies "Each driven body flies free, and velocities jump where two of them meet"
    extends Modelica.Icons.Example;
    inner Modelica.Mechanics.MultiBody.World world(@world@);
@impulsive_bodies@
    ImpulseContact contact(
@mass_modifiers@)
      annotation(Placement(transformation(extent={{20, -20}, {60, 20}})));
  equation
@connections@
    when contact.impacts > pre(contact.impacts) then
@reinits@
    end when;
    annotation(
      experiment(StartTime=@start_time@, StopTime=@stop_time@, Tolerance=@tolerance@),
      Documentation(info="<html>
<p>The bodies start where the scene has them, with its velocities. Their velocities are states, so that
they can jump.</p>
</html>"));
  end ImpulsiveBodies;
