//! A Modelica package around the driven bodies of a scene: text only, made from the templates in
//! `modelDescription.templates/modelica/`.
//!
//! - [`text`]: fills a template, writes names, strings and numbers as Modelica has them
//! - [`blocks`]: the lines about each body, parameter and input
//! - [`package`]: the files of the package

pub mod blocks;
pub mod package;
pub mod text;
