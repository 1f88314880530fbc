@@ frames
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_@name@ "Frame of body @name@"
    annotation(Placement(transformation(extent={{-116, @frame_low@}, {-84, @frame_high@}})));
@@ forces
  Modelica.Units.SI.Force force_@name@[3] "Contact force on @name@, world axes";
  Modelica.Units.SI.Torque torque_@name@[3]
    "Contact torque on @name@ about the origin of its frame, world axes";
@@ fmu_forces
  Modelica.Units.SI.Force force_@name@[3] "Contact force on @name@, @axes@";
  Modelica.Units.SI.Torque torque_@name@[3]
    "Contact torque on @name@ about the origin of its frame, @axes@";
@@ velocities
  Modelica.Units.SI.Velocity velocity_@name@[3] = der(frame_@name@.r_0)
    "Velocity of the origin of frame_@name@, world axes";
@@ orientations
  Real orientation_@name@[@orientation_size@] = Functions.@orientation@(frame_@name@.R.T)
    "@orientation_text@, body to world";
@@ motions ,
    Functions.motion(frame_@name@.r_0, frame_@name@.R.T, velocity_@name@, frame_@name@.R.w)
@@ wrenches
  force_@name@ = wrenches[@place@, 1:3];
  torque_@name@ = wrenches[@place@, 4:6];
  frame_@name@.f = -Modelica.Mechanics.MultiBody.Frames.resolve2(frame_@name@.R, force_@name@);
  frame_@name@.t = -Modelica.Mechanics.MultiBody.Frames.resolve2(frame_@name@.R, torque_@name@);
@@ fmu_wrenches
  force_@name@ = @fmu_force@;
  torque_@name@ = @fmu_torque@;
  frame_@name@.f = -@fmu_cut@force_@name@@fmu_cut_end@;
  frame_@name@.t = -@fmu_cut@torque_@name@@fmu_cut_end@;
@@ mass_parameters
  parameter Modelica.Units.SI.Mass mass_@name@ = @mass@ "Mass of @name@; 0: it does not yield";
  parameter Modelica.Units.SI.Position center_@name@[3] = @center@
    "Centre of mass in the frame of @name@";
  parameter Modelica.Units.SI.Inertia inertia_@name@[6] = {@I_11@, @I_22@, @I_33@, @I_21@, @I_31@, @I_32@}
    "I_11, I_22, I_33, I_21, I_31, I_32 of @name@ about its centre of mass";
@@ mass_rows ,
    {mass_@name@, center_@name@[1], center_@name@[2], center_@name@[3], inertia_@name@[1], inertia_@name@[2], inertia_@name@[3], inertia_@name@[4], inertia_@name@[5], inertia_@name@[6]}
@@ mass_modifiers ,
      mass_@name@=body_@name@.m,
      center_@name@=body_@name@.r_CM,
      inertia_@name@={body_@name@.I_11, body_@name@.I_22, body_@name@.I_33, body_@name@.I_21, body_@name@.I_31, body_@name@.I_32}
@@ jump_declarations
  Modelica.Units.SI.Velocity velocity_jump_@name@[3]
    "Jump of the velocity of the origin of @name@ at the last event, world axes";
  Modelica.Units.SI.AngularVelocity angular_jump_@name@[3]
    "Jump of the angular velocity of @name@ at the last event, axes of the frame";
  Modelica.Units.SI.Impulse impulse_@name@[3]
    "Impulse of contacts on @name@ at the last event, world axes";
@@ jump_equations
  velocity_jump_@name@ = jumps[@place@, 1:3];
  angular_jump_@name@ = jumps[@place@, 4:6];
  impulse_@name@ = jumps[@place@, 7:9];
@@ reinits
      reinit(body_@name@.v_0, pre(body_@name@.v_0) + contact.velocity_jump_@name@);
      reinit(body_@name@.w_a, pre(body_@name@.w_a) + contact.angular_jump_@name@);
@@ bodies
    Modelica.Mechanics.MultiBody.Parts.Body body_@name@(
      m=@mass@,
      r_CM=@center@,
      I_11=@I_11@, I_22=@I_22@, I_33=@I_33@,
      I_21=@I_21@, I_31=@I_31@, I_32=@I_32@,
      r_0(start=@position@, each fixed=true),
      v_0(start=@velocity@, each fixed=true),
      angles_fixed=true,
      angles_start=@angles@,
      w_0_fixed=true,
      w_0_start=@angular_velocity@) annotation(
        Placement(transformation(extent={{-20, @body_low@}, {-60, @body_high@}})));
@@ impulsive_bodies
    Modelica.Mechanics.MultiBody.Parts.Body body_@name@(
      enforceStates=true,
      useQuaternions=true,
      m=@mass@,
      r_CM=@center@,
      I_11=@I_11@, I_22=@I_22@, I_33=@I_33@,
      I_21=@I_21@, I_31=@I_31@, I_32=@I_32@,
      r_0(start=@position@, each fixed=true),
      v_0(start=@velocity@, each fixed=true),
      angles_fixed=true,
      angles_start=@angles@,
      w_0_fixed=true,
      w_0_start=@angular_velocity@) annotation(
        Placement(transformation(extent={{-20, @body_low@}, {-60, @body_high@}})));
@@ connections
    connect(body_@name@.frame_a, contact.frame_@name@);
