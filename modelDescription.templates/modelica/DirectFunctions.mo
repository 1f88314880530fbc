
  pure function motion "Row of a body for Direct.evaluate: position, rotation, velocities"
    extends Modelica.Icons.Function;
    input Modelica.Units.SI.Position r_0[3] "Origin of the frame, world axes";
    input Real T[3, 3] "R.T of the frame, world to body";
    input Modelica.Units.SI.Velocity v_0[3] "Velocity of the origin, world axes";
    input Modelica.Units.SI.AngularVelocity w_a[3] "Angular velocity, axes of the frame";
    output Real row[18];
  algorithm
    row := {r_0[1], r_0[2], r_0[3], T[1, 1], T[2, 1], T[3, 1], T[1, 2], T[2, 2], T[3, 2], T[1, 3],
      T[2, 3], T[3, 3], v_0[1], v_0[2], v_0[3], w_a[1], w_a[2], w_a[3]};
  end motion;

  pure function collisionInput "Row of a body for Direct.doCollide, as Engelson's report prints it"
    extends Modelica.Icons.Function;
    input Integer id "Place of the body among the driven bodies of the scene, from 1";
    input Modelica.Units.SI.Position r_0[3] "Origin of the frame, world axes";
    input Real T[3, 3] "R.T of the frame, world to body";
    input Real noCollision = 0 "Not 0 where the body touches nothing";
    output Real row[27];
  algorithm
    // id, shape, Form, extra, parmStlIndex, noCollision, size, rxvisobj, ryvisobj, rvisobj, Sa. The
    // visual object is the body's frame; the library of the report has Sa = transpose(T).
    row := {id, 0, 0, 0, 0, noCollision, 0, 0, 0, T[1, 1], T[1, 2], T[1, 3], T[2, 1], T[2, 2], T[2, 3],
      r_0[1], r_0[2], r_0[3], T[1, 1], T[2, 1], T[3, 1], T[1, 2], T[2, 2], T[3, 2], T[1, 3], T[2, 3],
      T[3, 3]};
  end collisionInput;
