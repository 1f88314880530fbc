within ;
package @package@ "Contact of the driven bodies of scene @scene@ between MultiBody frames"
  extends Modelica.Icons.Package;
  annotation(
    version="1.0.0",
    uses(Modelica(version="4.0.0")),
    Documentation(info="<html>
<p>Made by @tool@ from scene <code>@scene@</code>. Each driven body of the scene is a frame here:
connect the frame of a body of your MultiBody model to it, and the contacts of the scene push
that body. @masses@ Shapes, materials and contact laws are
those of the scene.</p>
<ul>
@contents@
</ul>
<p>A frame carries position <code>r_0</code> [m] and rotation <code>R.T</code> (world to body), and with
them the velocity <code>der(r_0)</code> [m/s] in world axes and <code>R.w</code> [rad/s] in body axes.
Contact force [N] and torque about the origin of the frame [N.m] act on the body; resolved in the
frame and with the sign of a flow they are <code>frame.f = -resolve2(R, force)</code>,
<code>frame.t = -resolve2(R, torque)</code>. The world of the MultiBody model is that of the scene.</p>
</html>"));
end @package@;
