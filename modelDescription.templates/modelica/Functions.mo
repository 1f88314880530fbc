within @package@;
package Functions "From the variables of a MultiBody frame to those of the contact model, and back"
  extends Modelica.Icons.FunctionsPackage;

  pure function quaternion "Quaternion (w, x, y, z) of a frame, body to world"
    extends Modelica.Icons.Function;
    input Real T[3, 3] "R.T of the frame, world to body";
    output Real q[4] "Unit quaternion; w >= 0, or the largest component > 0";
  protected
    Real s "Twice the largest component";
  algorithm
    // The matrix that maps body to world is transpose(T). Divides by the largest component.
    if T[1, 1] + T[2, 2] + T[3, 3] >= max(T[1, 1], max(T[2, 2], T[3, 3])) then
      s := sqrt(1 + T[1, 1] + T[2, 2] + T[3, 3]);
      q := {s/2, (T[2, 3] - T[3, 2])/(2*s), (T[3, 1] - T[1, 3])/(2*s), (T[1, 2] - T[2, 1])/(2*s)};
    elseif T[1, 1] >= max(T[2, 2], T[3, 3]) then
      s := sqrt(1 + T[1, 1] - T[2, 2] - T[3, 3]);
      q := {(T[2, 3] - T[3, 2])/(2*s), s/2, (T[1, 2] + T[2, 1])/(2*s), (T[3, 1] + T[1, 3])/(2*s)};
    elseif T[2, 2] >= T[3, 3] then
      s := sqrt(1 - T[1, 1] + T[2, 2] - T[3, 3]);
      q := {(T[3, 1] - T[1, 3])/(2*s), (T[1, 2] + T[2, 1])/(2*s), s/2, (T[2, 3] + T[3, 2])/(2*s)};
    else
      s := sqrt(1 - T[1, 1] - T[2, 2] + T[3, 3]);
      q := {(T[1, 2] - T[2, 1])/(2*s), (T[3, 1] + T[1, 3])/(2*s), (T[2, 3] + T[3, 2])/(2*s), s/2};
    end if;
  end quaternion;

  pure function rotation "Rotation matrix of a frame, body to world"
    extends Modelica.Icons.Function;
    input Real T[3, 3] "R.T of the frame, world to body";
    output Real S[3, 3] "Maps body to world";
  algorithm
    S := {{T[1, 1], T[2, 1], T[3, 1]}, {T[1, 2], T[2, 2], T[3, 2]}, {T[1, 3], T[2, 3], T[3, 3]}};
  end rotation;
@direct_functions@
end Functions;
