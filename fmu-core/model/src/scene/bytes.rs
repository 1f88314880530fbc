//! A scene as bytes, and the token that names them.
//!
//! Layout: magic, format version (u32, little-endian), length of the body (u64, little-endian),
//! body (the description in postcard's format). The token is the SHA-256 of all of it and of the
//! version of this library, so binaries of several platforms agree on it and a changed byte does
//! not.

use crate::scene::{Scene, SceneDescription};
use sha2::{Digest, Sha256};
use std::fmt;

const MAGIC: [u8; 8] = *b"FMUSCENE";

/// Version of the byte format; raised whenever [`SceneDescription`] or its encoding changes.
pub const SCENE_FORMAT: u32 = 21;

const HEADER: usize = 8 + 4 + 8;

/// Why bytes are not a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneBytesError {
    /// The bytes do not start like a scene.
    NotAScene,
    /// Fewer bytes than a header has: (found).
    Short(usize),
    /// Another format version.
    Version(u32),
    /// The header announces another length than there is: (announced, found).
    Length(u64, u64),
    /// The body cannot be decoded.
    Corrupt(String),
    /// The scene is decodable but not valid.
    Invalid(String),
}

impl fmt::Display for SceneBytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SceneBytesError::NotAScene => {
                write!(f, "not a scene: it does not start with {:?}", "FMUSCENE")
            }
            SceneBytesError::Short(found) => {
                write!(f, "a scene has at least {HEADER} bytes; there are {found}")
            }
            SceneBytesError::Version(found) => {
                write!(
                    f,
                    "scene format {found}; this binary reads format {SCENE_FORMAT}; build the FMU again"
                )
            }
            SceneBytesError::Length(announced, found) => {
                write!(
                    f,
                    "scene has {found} bytes after its header, which announces {announced}"
                )
            }
            SceneBytesError::Corrupt(reason) => write!(f, "scene bytes are corrupt: {reason}"),
            SceneBytesError::Invalid(reason) => write!(f, "scene is not valid: {reason}"),
        }
    }
}

impl std::error::Error for SceneBytesError {}

/// Writes a scene.
pub fn encode(description: &SceneDescription) -> Result<Vec<u8>, SceneBytesError> {
    let body =
        postcard::to_stdvec(description).map_err(|e| SceneBytesError::Corrupt(e.to_string()))?;
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&SCENE_FORMAT.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// Reads a scene and checks every invariant of it.
pub fn decode(bytes: &[u8]) -> Result<Scene, SceneBytesError> {
    Scene::new(decode_description(bytes)?).map_err(|errors| {
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        SceneBytesError::Invalid(texts.join("; "))
    })
}

/// Reads what a scene was made of, unchecked.
pub fn decode_description(bytes: &[u8]) -> Result<SceneDescription, SceneBytesError> {
    let (magic, rest) = bytes
        .split_at_checked(8)
        .ok_or(SceneBytesError::NotAScene)?;
    if magic != MAGIC {
        return Err(SceneBytesError::NotAScene);
    }
    let short = || SceneBytesError::Short(bytes.len());
    let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
    let version = u32::from_le_bytes(*version);
    if version != SCENE_FORMAT {
        return Err(SceneBytesError::Version(version));
    }
    let (length, body) = rest.split_first_chunk::<8>().ok_or_else(short)?;
    let announced = u64::from_le_bytes(*length);
    if announced != body.len() as u64 {
        return Err(SceneBytesError::Length(announced, body.len() as u64));
    }
    postcard::from_bytes(body).map_err(|e| SceneBytesError::Corrupt(e.to_string()))
}

/// Token of a scene for `instantiationToken`: 64 hexadecimal digits.
pub fn token(bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    hash.update([0]);
    hash.update(bytes);
    let mut text = String::with_capacity(64);
    for byte in hash.finalize() {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, steel_scene};
    use crate::scene::description::{Form, Motion};

    #[test]
    fn bytes_that_end_inside_the_header_are_told_with_their_number() {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&SCENE_FORMAT.to_le_bytes());
        for found in [8, 12] {
            let refused = decode(&bytes[..found]).unwrap_err();
            assert_eq!(refused, SceneBytesError::Short(found));
        }
        assert_eq!(
            SceneBytesError::Short(12).to_string(),
            "a scene has at least 20 bytes; there are 12"
        );
    }

    #[test]
    fn compounds_in_compounds_end_at_the_second_however_deep_they_go() {
        let parts = Vec::new();
        let form = Form::Compound { parts };
        let thing = body("thing", Motion::Fixed, form.clone(), [0.0; 3]);
        let bytes = encode(&steel_scene(vec![thing])).unwrap();
        let flat = postcard::to_stdvec(&form).unwrap();
        let at = bytes.windows(7).position(|w| w == b"\x05thing\x0a");
        let at = at.unwrap() + 6;
        assert_eq!(bytes[at..at + 2], flat);
        // A compound of one part, whose form comes first, that is a compound of one part ...
        let mut deep = bytes[HEADER..at].to_vec();
        deep.extend([flat[0], 1].repeat(1_000_000));
        deep.extend(&bytes[at..]);
        let mut all = bytes[..12].to_vec();
        all.extend((deep.len() as u64).to_le_bytes());
        all.extend(deep);
        let refused = decode(&all).unwrap_err();
        assert!(matches!(refused, SceneBytesError::Corrupt(_)), "{refused}");
    }
}
