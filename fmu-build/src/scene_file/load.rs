//! Text of a scene file to a checked scene.
//!
//! Problems are reported in four rounds; each begins when the one before finds nothing:
//! 1. TOML's grammar ([`grammar`]);
//! 2. single elements: keys, types, units, lengths, names of materials, and the ranges of what could be read;
//! 3. how the elements fit together ([`Scene::new`]);
//! 4. the start: outputs, joints that do not close, overlap.

use super::diagnostics::{Diagnostic, Diagnostics, Places, Span};
use super::joint::Children;
use super::material::{Library, contact_name};
use super::notes::{Doubt, LibraryPath, Notes};
use super::walker::{Field, Section, suggestion, unmatched as unmatched_pattern};
use super::world::InterfaceOverrides;
use super::{
    body, contact, force, grains, grammar, joint, library, material, motion, overlap, world,
};
use contact_laws::finding::Finding;
use contact_laws::index::BodyId;
use contact_laws::response::Number;
use contact_laws::response::choice::NormalKind;
use contact_model::dynamics;
use contact_model::scene::description::contact::D_MAX;
use contact_model::scene::description::{
    About, BodyDescription, ContactOptions, MaterialPair, PairResponse, Report, SCENE,
};
use contact_model::scene::{ContactLaw, Element, Scene, SceneDescription, SceneError, SceneItem};
use fmu_core::instance::Standard;
use fmu_core::instance::variables::{Causality, VariableTable};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::de::DeTable;

/// What is said of an `expose` that leaves nothing.
const HIDES_EVERYTHING: (&str, &str) = (
    "interface: expose leaves no output: an importer sees no result",
    "name what it shall see, such as \"ball.*\", or remove expose",
);

/// What is said of intersections of all polyhedra where no pair is one.
const OF_NONE: (&str, &str) = (
    "contact: overlap = \"all\" means no pair",
    "an intersection needs two of box, hull, mesh with contact = \"hull\" and half-space, without shell or threshold, with \
     smoothing_radius = 0 where they touch in a point",
);
/// What is said of a bound for damping coefficients that no law of the scene freezes.
const D_MAX_IDLE: (&str, &str) = (
    "contact: d_max has no effect: it bounds frozen damping coefficients, and no pair of this scene has one, as with \
     damping = \"inferred\"",
    "remove it, or choose another damping",
);

/// A scene read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedScene {
    /// The checked scene.
    pub scene: Scene,
    /// What the file says, with what it uses of the built-in materials.
    pub description: SceneDescription,
    /// What it says about itself.
    pub about: About,
    /// The text of the file, with ends of lines as on Unix.
    pub(crate) text: String,
    /// What is allowed but deserves a word.
    pub warnings: Diagnostics,
    /// What is to be said of shapes and parts beside their values: on points and mesh files.
    pub(crate) remarks: Vec<(SceneItem, String)>,
    /// Where the files of its libraries lie.
    pub libraries: Vec<LibraryPath>,
    places: Places<Span>,
}

impl LoadedScene {
    /// The scene with another interface.
    ///
    /// # Errors
    /// None in a scene that was checked before: no invariant is about the interface.
    pub(crate) fn with_interface(
        mut self,
        overrides: InterfaceOverrides,
    ) -> Result<Self, Diagnostics> {
        let interface = overrides.over(self.description.interface);
        let is_open = overrides.expose_motion && self.description.expose.is_none();
        if is_open {
            let patterns = world::motion(&self.description, &self.scene);
            self.description.expose = Some(patterns);
        }
        if is_open || interface != self.description.interface {
            self.description.interface = interface;
            self.scene = Scene::new(self.description.clone()).map_err(|mut errors| {
                let first = errors.swap_remove(0);
                self.problem(first.item, first.field, first.finding)
            })?;
        }
        Ok(self)
    }

    /// Adds warnings that are about no place of the file.
    pub(crate) fn warn(&mut self, findings: Vec<impl Into<Finding>>) {
        let warnings = findings
            .into_iter()
            .map(|finding| Diagnostic::warning(0..0, finding).of_file());
        self.warnings.list.extend(warnings);
    }

    /// A problem that was found after reading, at the place of a field, or of its item where the
    /// file does not have the field. Field "" of the scene is at line 1, column 1; a field of the
    /// scene that the file does not have is at no place.
    pub(crate) fn problem(
        &self,
        item: SceneItem,
        field: &'static str,
        finding: impl Into<Finding>,
    ) -> Diagnostics {
        let is_whole = item == SceneItem::Scene && !self.places.has(item, field);
        let span = self.places.find(item, field);
        let problem = Diagnostic {
            span: span.filter(|_| !is_whole),
            ..Diagnostic::error(0..0, finding)
        };
        Diagnostics {
            list: vec![problem],
            ..self.warnings.clone()
        }
    }
}

/// Path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";
/// What positions call standard input.
const STANDARD_INPUT_NAME: &str = "<stdin>";

/// Scene in place of standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenScene {
    /// TOML text.
    pub text: String,
    /// Folder of the files that it names.
    pub folder: PathBuf,
}

/// Reads a scene file. Positions name the file as `path` does; the scene of [`STANDARD_INPUT`] is in
/// the working directory.
pub fn read(path: &Path) -> Result<LoadedScene, Diagnostics> {
    let is_input = path == Path::new(STANDARD_INPUT);
    let (name, bytes) = match is_input {
        true => (STANDARD_INPUT_NAME.to_owned(), read_input()),
        false => (path.display().to_string(), std::fs::read(path)),
    };
    let bytes =
        bytes.map_err(|error| Diagnostics::of_file(&name, format!("cannot be read: {error}")))?;
    if bytes.starts_with(b"PK\x03\x04") {
        let finding = (
            "is an archive, such as an FMU, and no scene file",
            "see fmu-build simulate and inspect",
        );
        return Err(Diagnostics::of_file(&name, finding));
    }
    if bytes.trim_ascii_start().starts_with(b"<") {
        let finding = (
            "is XML, such as a URDF, MJCF or SDF file, and no scene file",
            "write a [[body]] for each link and a [[joint]] for each joint; the book has a page on robots",
        );
        return Err(Diagnostics::of_file(&name, finding));
    }
    match String::from_utf8(bytes) {
        Ok(text) => parse(&text, &name),
        Err(error) => {
            let end = error.utf8_error().valid_up_to();
            let byte = error.as_bytes()[end];
            let before = String::from_utf8_lossy(&error.as_bytes()[..end]).into_owned();
            let message = format!("byte {byte:#04x} is not UTF-8");
            let problem = Diagnostic::error(end..end, (message, "save the file as UTF-8"));
            Err(Diagnostics::new(&name, &before, vec![problem]))
        }
    }
}

fn read_input() -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a scene that is given as text; positions call it standard input.
pub(crate) fn read_given(scene: &GivenScene) -> Result<LoadedScene, Diagnostics> {
    parse_in(&scene.text, STANDARD_INPUT_NAME, &scene.folder)
}

/// Reads the text of a scene file; `file_name` is for messages, and mesh files are relative to its
/// folder.
pub fn parse(text: &str, file_name: &str) -> Result<LoadedScene, Diagnostics> {
    let folder = Path::new(file_name).parent().unwrap_or(Path::new(""));
    parse_in(text, file_name, folder)
}

fn parse_in(text: &str, file_name: &str, folder: &Path) -> Result<LoadedScene, Diagnostics> {
    let fail = |problems| Err(Diagnostics::new(file_name, text, problems));
    let early = |problems| Err(Diagnostics::new(file_name, text, problems).early());
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut problems = grammar::problems(text, &errors);
    if grammar::is_broken(&errors) {
        return early(problems);
    }
    let notes = Notes::in_folder(folder, text);
    let mut about = About::default();
    let description = describe(Section::root(&notes, table.get_ref()), &mut about);
    let found = notes.problems().into_iter();
    problems.extend(found.map(|problem| problem.diagnostic));
    let Some(description) = description else {
        return early(problems);
    };
    let checked = match problems.is_empty() {
        true => Scene::new(description.clone()),
        false => Err(Scene::problems_of_partial(&description)),
    };
    let scene = match checked {
        Ok(scene) => scene,
        Err(errors) => {
            let errors = errors.iter().filter(|e| !notes.is_unread(e.item, e.field));
            problems.extend(errors.map(|error| placed(&notes, &description, error)));
            problems.extend(notes.warnings());
            return early(problems);
        }
    };
    let table = VariableTable::new(&scene, Standard::Fmi3);
    let expose = notes.place(SceneItem::Scene, "expose");
    if let Err(unmatched) = table.check_exposed(&scene) {
        problems.push(Diagnostic::error(
            expose.clone(),
            unmatched_pattern(&unmatched),
        ));
    }
    let has_outputs = (1..=table.count() as u32)
        .filter_map(|reference| table.meaning(reference))
        .any(|quantity| table.causality(&scene, quantity) == Causality::Output);
    let hidden = (scene.expose().is_some() && !has_outputs)
        .then(|| Diagnostic::warning(expose, HIDES_EVERYTHING));
    if let Some((joint, flaw)) = dynamics::pressing::flaw(&Arc::new(scene.clone())) {
        let place = notes.place(SceneItem::Joint(joint.into()), "child");
        problems.push(Diagnostic::error(place, flaw));
    }
    let idle = idle_keys(&notes, &scene, &description);
    let place = |item| notes.place(item, "position");
    let start = match overlap::start(scene, description) {
        Ok(start) if problems.is_empty() => start,
        Ok(_) => return fail(problems),
        Err(said) => {
            let said = said.into_iter();
            problems.extend(said.map(|(item, said)| Diagnostic::error(place(item), said)));
            return fail(problems);
        }
    };
    let overlaps = start.warnings.into_iter();
    let overlaps = overlaps.map(|(item, said)| Diagnostic::warning(place(item), said));
    let warnings = notes.warnings().into_iter().chain(overlaps);
    let warnings = warnings.chain(hidden).chain(idle).collect();
    Ok(LoadedScene {
        text: text.replace("\r\n", "\n"),
        warnings: Diagnostics::new(file_name, text, warnings),
        scene: start.scene,
        description: start.description,
        about,
        remarks: notes.remarks.take(),
        libraries: notes.libraries.take().paths,
        places: notes.places(),
    })
}

/// An error of the scene at its place, with the place of the other item where it is of two.
fn placed(notes: &Notes, description: &SceneDescription, error: &SceneError) -> Diagnostic {
    let place = place_of(notes, description, error);
    let mut finding = error.finding.clone();
    if let Some(difference) = notes.concave(error.item).filter(|_| error.field == "mesh") {
        finding.message += &format!("; contact is \"mesh\" unless given, since {difference}");
    }
    if error.field == "mesh" && notes.has_mesh(error.item) {
        finding = finding.with_help("write contact = \"hull\" for the mesh");
    }
    let problem = Diagnostic::error(place, finding);
    match error.first.filter(|first| notes.has(*first, "")) {
        Some(first) => problem.with_related(notes.place(first, error.field), "the first one"),
        None => problem,
    }
}

/// The items of a scene that have names.
pub fn named_items(scene: &SceneDescription) -> Vec<(SceneItem, &str)> {
    fn named<'n, T: 'n>(
        list: &'n [T],
        item: fn(usize) -> SceneItem,
        name: fn(&T) -> &str,
    ) -> impl Iterator<Item = (SceneItem, &'n str)> {
        let items = list.iter().enumerate();
        items.map(move |(index, named)| (item(index), name(named)))
    }
    let mut items = Vec::new();
    for (index, body) in scene.bodies.iter().enumerate() {
        items.push((SceneItem::Body(index), body.name.as_str()));
        let shapes = body.shapes.iter().enumerate();
        items.extend(shapes.map(|(s, shape)| (SceneItem::Shape(index, s), shape.name.as_str())));
    }
    items.extend(named(&scene.grains, SceneItem::Grains, |x| &x.name));
    items.extend(named(&scene.joints, SceneItem::Joint, |x| &x.name));
    items.extend(named(&scene.latches, SceneItem::Latch, |x| &x.name));
    items.extend(named(&scene.forces, SceneItem::Force, |x| &x.name));
    items.extend(named(&scene.measurements, SceneItem::Measurement, |x| {
        &x.name
    }));
    items.extend(named(&scene.triggers, SceneItem::Trigger, |x| &x.name));
    items.extend(named(&scene.materials, SceneItem::Material, |x| &x.name));
    items
}

/// Warnings of a bound for damping coefficients that bounds none, of intersections of no pair, of
/// steps too many, of turns too many, and of a mass that is not known.
fn idle_keys(
    notes: &Notes,
    scene: &Scene,
    description: &SceneDescription,
) -> impl Iterator<Item = Diagnostic> + use<> {
    let is_given = notes.has(SceneItem::Contact, "d_max");
    let bounds_none = is_given
        && scene
            .parameter_index(Element::Contact, D_MAX.key, 0)
            .is_none();
    let means_none = description.overlap == Report::All && scene.intersections().is_empty();
    let warning = |is_idle: bool, key, finding: (&str, &str)| {
        is_idle.then(|| Diagnostic::warning(notes.place(SceneItem::Contact, key), finding))
    };
    let bound = warning(bounds_none, "d_max", D_MAX_IDLE);
    let overlap = warning(means_none, "overlap", OF_NONE);
    let steps = world::too_many_steps(scene.experiment())
        .map(|finding| Diagnostic::warning(notes.place(SceneItem::Scene, "max_step"), finding));
    let turns = world::too_many_turns(scene).map(|(motion, finding)| {
        Diagnostic::warning(notes.place(SceneItem::Motion(motion), "body"), finding)
    });
    let turns: Vec<Diagnostic> = turns.collect();
    let idle = bound.into_iter().chain(overlap).chain(steps);
    let idle = idle.chain(idle_stiffness(notes, scene, description));
    let idle = idle.chain(doubtful_units(notes, scene));
    idle.chain(turns).chain(unknown_mass(notes, scene))
}

/// Warnings of meshes too large or too small for their unit; on a fixed body one may be large.
fn doubtful_units(notes: &Notes, scene: &Scene) -> Vec<Diagnostic> {
    let is_fixed = |body: &usize| scene.bodies()[BodyId::from(*body)].is_fixed();
    let is_right = |(item, doubt): &&(SceneItem, Doubt)| match item {
        SceneItem::Shape(body, _) | SceneItem::Part(body, ..) => !doubt.is_large || !is_fixed(body),
        _ => false,
    };
    let doubts = notes.doubts.borrow();
    let doubts = doubts.iter().filter(is_right);
    let place = |item: &SceneItem| notes.place(*item, "mesh");
    doubts
        .map(|(item, doubt)| Diagnostic::warning(place(item), doubt.finding.clone()))
        .collect()
}

/// Warnings of material pairs by `hertz` that give a stiffness per area where only spheres, capsules and ellipsoids
/// touch a mesh, by the force of points.
fn idle_stiffness(notes: &Notes, scene: &Scene, description: &SceneDescription) -> Vec<Diagnostic> {
    let number = Number::StiffnessPerArea;
    // A law whose pairs have no flat faces in common has lost the number.
    let is_idle = |law: &&ContactLaw| {
        let is_hertz = law.choice.kinds.normal == NormalKind::Hertz;
        is_hertz && law.between.is_none() && law.choice.number(number) == 0.0
    };
    let laws = scene.laws().iter().filter(|_| scene.has_meshes());
    let names = |law: &ContactLaw| law.materials.map(|of| &scene.materials()[of].name);
    let idle: Vec<[&String; 2]> = laws.filter(is_idle).map(names).collect();
    let pairs = description.material_pairs.iter().enumerate();
    let warning = |(place, pair): (usize, &MaterialPair)| {
        let [one, two] = &pair.materials;
        let is_idle = idle.contains(&[one, two]) || idle.contains(&[two, one]);
        let is_given = match &pair.response {
            PairResponse::Law(changes) => changes.number(number) > Some(0.0),
            PairResponse::None => false,
        };
        let message = format!(
            "material pair {one:?}, {two:?}: stiffness_per_area has no effect: no faces of these materials meet, and \
             with law = \"hertz\" a sphere, capsule or ellipsoid touches a mesh with the force of its moduli"
        );
        let help = "write law = \"volume\", by which it counts, or remove it";
        let span = notes.place(SceneItem::MaterialPair(place), number.key());
        (is_idle && is_given).then(|| Diagnostic::warning(span, (message, help)))
    };
    pairs.filter_map(warning).collect()
}

/// The warning of a driven body whose mass damping would be inferred from, and is not.
fn unknown_mass(notes: &Notes, scene: &Scene) -> Option<Diagnostic> {
    let inferred = |law: &contact_model::scene::ContactLaw| {
        law.choice.kinds.freezes_damping(true) && law.choice.kinds.is_inferred()
    };
    let body = scene.body_of_unknown_mass()?;
    scene.laws().iter().find(|law| inferred(law))?;
    let message = format!(
        "body {:?} is driven and has no mass, so that damping cannot be \"inferred\": all contacts of the scene have \
         \"exact\", and part otherwise than those of the same machine with joints",
        scene.bodies()[body].name
    );
    let help = "give the mass that its contacts meet in the outer model, or write damping = \"exact\" in [contact]";
    Some(Diagnostic::warning(
        notes.place(SceneItem::Body(body.into()), "motion"),
        (message, help),
    ))
}

/// The description, incomplete where the file has problems; none where the file has another format. What the
/// file says about itself goes into `about`.
fn describe(mut root: Section<'_>, about: &mut About) -> Option<SceneDescription> {
    if !world::is_known_format(&mut root) {
        return None;
    }
    let name = root.key(SCENE[1].key).and_then(Field::string);
    let energy_balance = root.key(SCENE[2].key).and_then(Field::boolean);
    *about = world::read_about(&mut root);
    library::read_all(&mut root);
    let gravity = world::gravity(&mut root);
    let (contact, named) = match root.table("contact", SceneItem::Contact) {
        Some(section) => contact::read(section),
        None => (ContactOptions::DEFAULT, contact::NamedFields::default()),
    };
    let experiment = world::experiment(&mut root);
    let (interface, expose, parameter_inputs) = world::read_interface(&mut root);
    let library = Library::read(&mut root);
    let own_pairs = library.read_pairs(&mut root);
    let joints = root.each("joint", SceneItem::Joint, joint::read);
    let latches = root.each("latch", SceneItem::Latch, |section| {
        joint::read_latch(section, &joints)
    });
    let children = Children::of(&joints, &root);
    let bodies = body::read_all(&mut root, &library, contact.smoothing_radius, children);
    let groups = root.each("grains", SceneItem::Grains, |section| {
        grains::read(section, &library)
    });
    let notes = root.notes();
    // A name of a body that is not known may be one that could not be read.
    let names_known = notes.is_empty();
    let known = names_known.then_some(bodies.as_slice());
    let pairs = root.each("pair", SceneItem::Pair, |section| {
        material::read_named_pair(section, known)
    });
    let motions = root.each("motion", SceneItem::Motion, motion::read);
    let forces = root.each("force", SceneItem::Force, force::read);
    let measurements = root.each(
        "measurement",
        SceneItem::Measurement,
        joint::read_measurement,
    );
    let triggers = root.each("trigger", SceneItem::Trigger, joint::read_trigger);
    root.finish();
    let exclusions = named.exclusions.filter(|_| names_known);
    let excluded = exclusions.map(|field| contact::exclusions(field, &bodies));
    let report = named.report.filter(|_| names_known);
    let report = report.map(|field| contact::report(field, &bodies));
    let overlap = named.overlap.filter(|_| names_known);
    let overlap = overlap.map(|field| contact::report(field, &bodies));
    if names_known {
        warn_of_lonely_groups(notes, &bodies);
    }
    joint::warn(notes, &joints);
    let selection = library.select(own_pairs, &bodies, &groups, &contact.law);
    let libraries = notes.libraries.borrow();
    Some(SceneDescription {
        name: name.unwrap_or_default().to_owned(),
        gravity,
        bodies,
        grains: groups,
        materials: selection.materials,
        material_pairs: selection.pairs,
        pairs,
        joints,
        latches,
        motions,
        forces,
        measurements,
        triggers,
        contact,
        excluded: excluded.unwrap_or_default(),
        report: report.unwrap_or_default(),
        overlap: overlap.unwrap_or_default(),
        libraries: libraries.list.clone(),
        functions: libraries.functions.clone(),
        experiment,
        energy_balance: energy_balance.unwrap_or(false),
        interface,
        expose,
        parameter_inputs,
    })
}

/// A collision group of one body keeps nothing apart: its name is misspelt where another is like
/// it.
fn warn_of_lonely_groups(notes: &Notes, bodies: &[BodyDescription]) {
    let groups = bodies.iter().filter_map(|b| b.collision_group.as_deref());
    let names: Vec<&str> = groups.collect();
    for (index, body) in bodies.iter().enumerate() {
        let Some(name) = body.collision_group.as_deref() else {
            continue;
        };
        let others: Vec<&str> = names.iter().copied().filter(|n| *n != name).collect();
        let lonely = others.len() + 1 == names.len();
        if let (true, Some(likely)) = (lonely, suggestion(name, &others)) {
            let message = format!(
                "body {:?}: no other body is of collision_group {name:?}",
                body.name
            );
            let finding = (message, format!("did you mean {likely:?}?"));
            notes.warn(SceneItem::Body(index), "collision_group", finding);
        }
    }
}

/// Place of an error of the scene. Built-in materials and pairs are not in the file: an option of
/// `[contact]` that does not suit them is, or else the shape that names the material.
fn place_of(notes: &Notes, description: &SceneDescription, error: &SceneError) -> Span {
    let (item, field) = (error.item, error.field);
    let materials: Vec<&String> = match item {
        SceneItem::Material(index) => vec![&description.materials[index].name],
        SceneItem::MaterialPair(index) => {
            description.material_pairs[index].materials.iter().collect()
        }
        _ => Vec::new(),
    };
    if materials.is_empty() || notes.has(item, "") {
        return notes.place(item, field);
    }
    if notes.has(SceneItem::Contact, field) {
        return notes.place(SceneItem::Contact, field);
    }
    let mut shapes = description
        .bodies
        .iter()
        .enumerate()
        .flat_map(|(body, known)| {
            let shapes = known.shapes.iter().enumerate();
            shapes.map(move |(index, shape)| (SceneItem::Shape(body, index), shape))
        });
    let user = shapes.find(|(_, shape)| materials.contains(&contact_name(shape)));
    let (item, field) = match user {
        Some((item, _)) if notes.has(item, "contact_material") => (item, "contact_material"),
        Some((item, _)) => (item, "material"),
        None => (SceneItem::Contact, ""),
    };
    notes.place(item, field)
}
