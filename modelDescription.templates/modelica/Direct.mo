within @package@;
package Direct "The C library of the contact model; see Resources/Include/contact_scene.h"
  extends Modelica.Icons.InternalPackage;

  class ContactScene "A scene and which of its bodies touch"
    extends ExternalObject;

    function constructor "Reads the scene"
      input String file "Path of scene.bin";
      input String names[:] "Names of parameters, as the FMU of the scene has them";
      input Real values[size(names, 1)] "Their values";
      output ContactScene scene;
    external "C" scene = contact_modelica_create(file, names, values, size(names, 1))
      annotation(
        Include="#include \"contact_modelica.h\"",
        IncludeDirectory="modelica://@package@/Resources/Include",
        Library="contact_fmu",
        LibraryDirectory="modelica://@package@/Resources/Library");
    end constructor;

    function destructor "Frees it"
      input ContactScene scene;
    external "C" contact_modelica_destroy(scene)
      annotation(
        Include="#include \"contact_modelica.h\"",
        IncludeDirectory="modelica://@package@/Resources/Include",
        Library="contact_fmu",
        LibraryDirectory="modelica://@package@/Resources/Library");
    end destructor;
  end ContactScene;

  pure function evaluate "Contact forces and torques, world axes; between two events smooth"
    input ContactScene scene;
    input Modelica.Units.SI.Time t;
    input Real motions[:, 18] "Rows of Functions.motion, one for each driven body";
    input Integer updates "Number of event updates: another one may change the answer";
    output Real wrenches[size(motions, 1), 6] "Force [N] and torque [N.m] on each body";
  external "C" contact_modelica_evaluate(scene, t, motions, size(motions, 1), updates, wrenches)
    annotation(
      Include="#include \"contact_modelica.h\"",
      IncludeDirectory="modelica://@package@/Resources/Include",
      Library="contact_fmu",
      LibraryDirectory="modelica://@package@/Resources/Library");
  end evaluate;

  pure function indicators "Event indicators [m]: an update is due where one changes its domain, z > 0"
    input ContactScene scene;
    input Modelica.Units.SI.Time t;
    input Real motions[:, 18] "Rows of Functions.motion, one for each driven body";
    input Integer count "Number of indicators";
    input Integer updates "Number of event updates: another one may change the answer";
    output Real z[count];
  external "C" contact_modelica_indicators(scene, t, motions, size(motions, 1), updates, z, size(z, 1))
    annotation(
      Include="#include \"contact_modelica.h\"",
      IncludeDirectory="modelica://@package@/Resources/Include",
      Library="contact_fmu",
      LibraryDirectory="modelica://@package@/Resources/Library");
  end indicators;

  impure function update "Event update: which bodies touch, and how fast they met"
    input ContactScene scene;
    input Modelica.Units.SI.Time t;
    input Real motions[:, 18] "Rows of Functions.motion, one for each driven body";
    input Integer before "Number of event updates so far";
    output Integer updates "One more";
    output Modelica.Units.SI.Time nextEvent "Next event that depends on time alone";
  external "C" contact_modelica_update(scene, t, motions, size(motions, 1), before, updates, nextEvent)
    annotation(
      Include="#include \"contact_modelica.h\"",
      IncludeDirectory="modelica://@package@/Resources/Include",
      Library="contact_fmu",
      LibraryDirectory="modelica://@package@/Resources/Library");
  end update;

  impure function impulses "Event update with impulses: jumps of velocities of bodies that meet"
    input ContactScene scene;
    input Modelica.Units.SI.Time t;
    input Real motions[:, 18] "Rows of Functions.motion, one for each driven body, before the jumps";
    input Real masses[size(motions, 1), 10]
      "Mass, 0 if it does not yield; r_CM; I_11, I_22, I_33, I_21, I_31, I_32";
    input Integer before "Number of event updates so far";
    input Integer impactsBefore "Number of events at which velocities jumped";
    output Integer updates "One more";
    output Modelica.Units.SI.Time nextEvent "Next event that depends on time alone";
    output Integer impacts "One more if a velocity jumps";
    output Real jumps[size(motions, 1), 12]
      "Jumps of velocity, world axes, and angular velocity, axes of the frame; impulse, moment about r_CM";
  external "C" contact_modelica_impulses(
      scene, t, motions, size(motions, 1), masses, before, impactsBefore, updates, nextEvent, impacts,
      jumps)
    annotation(
      Include="#include \"contact_modelica.h\"",
      IncludeDirectory="modelica://@package@/Resources/Include",
      Library="contact_fmu",
      LibraryDirectory="modelica://@package@/Resources/Library");
  end impulses;

  pure function doCollide "Elastic forces on bodies at rest, the function of Engelson's report"
    input ContactScene scene;
    input Modelica.Units.SI.Time t;
    input Real collisionInput[:, 27] "Rows of Functions.collisionInput, one for each driven body";
    output Real collisionOutput[size(collisionInput, 1), 6]
      "Force [N] and torque [N.m] on each body, in the axes of the body";
  external "C" contact_modelica_do_collide(
      scene, t, collisionInput, size(collisionInput, 1), collisionOutput)
    annotation(
      Include="#include \"contact_modelica.h\"",
      IncludeDirectory="modelica://@package@/Resources/Include",
      Library="contact_fmu",
      LibraryDirectory="modelica://@package@/Resources/Library");
  end doCollide;
end Direct;
