//! The words that scene files and messages have for the kinds of laws: one table for each choice.

use fmu_core::response::options::{
    Damping, DepthRule, FrictionKind, GeometryFactor, ImpactSpeed, NormalKind, Pulling,
    RestitutionRule, Step,
};

/// Words for the normal force, `law`.
pub const LAWS: &[(&str, NormalKind)] = &[
    (NormalKind::Hertz.word(), NormalKind::Hertz),
    (NormalKind::Spring.word(), NormalKind::Spring),
    (NormalKind::Impact.word(), NormalKind::Impact),
    (NormalKind::Poisson.word(), NormalKind::Poisson),
    (NormalKind::Volume.word(), NormalKind::Volume),
    (NormalKind::User(0).word(), NormalKind::User(0)),
    (NormalKind::Observer.word(), NormalKind::Observer),
];
/// Words for `geometry_factor`.
pub const GEOMETRY_FACTORS: &[(&str, GeometryFactor)] = &[
    ("contact_sphere", GeometryFactor::ContactSphere),
    ("document", GeometryFactor::Document),
];
/// Words for `restitution_rule`.
pub const RESTITUTION_RULES: &[(&str, RestitutionRule)] = &[
    ("regularized", RestitutionRule::Regularized),
    ("threshold", RestitutionRule::Threshold),
    ("constant", RestitutionRule::Constant),
];
/// Words for `damping`.
pub const DAMPINGS: &[(&str, Damping)] = &[
    ("inferred", Damping::Inferred),
    ("exact", Damping::Exact),
    ("flores", Damping::Flores),
    ("engelson-fraction", Damping::EngelsonFraction),
    ("engelson-polynomial", Damping::EngelsonPolynomial),
    ("hunt-crossley", Damping::HuntCrossley),
    ("lankarani-nikravesh", Damping::LankaraniNikravesh),
    ("gonthier", Damping::Gonthier),
    ("hu-guo", Damping::HuGuo),
    ("herbert-mcwhannell", Damping::HerbertMcWhannell),
    ("constant", Damping::Constant),
];
/// Words for `impact_speed`.
pub const IMPACT_SPEEDS: &[(&str, ImpactSpeed)] = &[
    ("plain", ImpactSpeed::Plain),
    ("regularized", ImpactSpeed::Regularized),
];
/// Words for `pulling`.
pub const PULLINGS: &[(&str, Pulling)] =
    &[("clamped", Pulling::Clamped), ("signed", Pulling::Signed)];
/// Words for `friction`.
pub const FRICTIONS: &[(&str, FrictionKind)] = &[
    ("off", FrictionKind::Off),
    ("regularized", FrictionKind::Regularized),
    ("coulomb", FrictionKind::Coulomb),
    ("coulomb-dynamic", FrictionKind::CoulombDynamic),
    ("stick", FrictionKind::Stick),
    ("user", FrictionKind::User(0)),
];
/// Words for `step`.
pub const STEPS: &[(&str, Step)] = &[("cubic", Step::Cubic), ("quintic", Step::Quintic)];
/// Words for `depth`.
pub const DEPTHS: &[(&str, DepthRule)] = &[
    ("past_hysteresis", DepthRule::PastHysteresis),
    ("whole", DepthRule::Whole),
];

/// The word of a friction, whichever function of the user it is.
pub fn friction_word(kind: FrictionKind) -> &'static str {
    match kind {
        FrictionKind::User(_) => word_of(FRICTIONS, &FrictionKind::User(0)),
        known => word_of(FRICTIONS, &known),
    }
}

/// The word that a table has for a value; every value has one.
pub fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    let found = words.iter().find(|(_, meaning)| meaning == value);
    found.map_or("", |(word, _)| word)
}
