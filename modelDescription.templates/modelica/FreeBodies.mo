  model FreeBodies "Each driven body flies free, with the mass of its shapes"
    extends Modelica.Icons.Example;
    inner Modelica.Mechanics.MultiBody.World world(@world@);
@bodies@
    Contact contact annotation(Placement(transformation(extent={{20, -20}, {60, 20}})));
  equation
@connections@
    annotation(
      experiment(StartTime=@start_time@, StopTime=@stop_time@, Tolerance=@tolerance@),
      Documentation(info="<html>
<p>The bodies start where the scene has them, with its velocities. Replace them by your own
mechanism: joints, springs, drives.</p>
</html>"));
  end FreeBodies;
