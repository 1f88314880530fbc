//! Scene
/// Scene
pub struct Scene;
/// Body
pub struct Body;
/// Pair
pub struct Pair;
/// Shape
pub struct Shape;
