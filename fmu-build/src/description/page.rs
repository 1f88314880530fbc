//! What the page in an FMU shows beside the variables: plain texts and pictures.

/// What the page shows of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The scene as an SVG element; it names itself.
    pub picture: String,
    /// The bodies, in the order of the scene.
    pub bodies: Vec<BodyNote>,
    /// The joints, in the order of the scene.
    pub joints: Vec<JointNote>,
    /// The contact laws, in the order of the scene.
    pub laws: Vec<LawNote>,
    /// Plot of the default experiment as an SVG element; none where it was not run.
    pub plot: Option<String>,
    /// The text of the scene file; none where there is no file.
    pub scene_text: Option<String>,
    /// Values set otherwise than in that text, `ball.mass=2`.
    pub settings: Vec<String>,
}

/// A body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyNote {
    /// Its colour in the picture, `#2a83be`; none where the picture does not have it.
    pub color: Option<String>,
    /// Its shapes in words.
    pub shapes: Vec<String>,
}

/// A joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointNote {
    /// Kind and axes.
    pub text: String,
    /// What acts along each coordinate, with the start values.
    pub coordinates: Vec<String>,
}

/// What a contact law comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LawNote {
    /// The materials, and the shapes where the law is theirs.
    pub name: String,
    /// Where the numbers below hold, or why there are none.
    pub at: String,
    /// A label, and a cell for each impact speed; the speeds come first.
    pub impacts: Vec<(String, Vec<String>)>,
    /// Sentences on rest and friction.
    pub notes: Vec<String>,
}
