//! Where the resources of an unpacked FMU are, as the versions want to hear it: FMI 2.0 a URI,
//! FMI 3.0 a path.

use crate::error::HostError;
use std::path::{MAIN_SEPARATOR, Path};

const FOLDER: &str = "resources";

/// Characters of a path that a URI holds as they are: the unreserved ones of RFC 3986 section 2.3
/// and the separator.
fn stays(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte)
}

/// `fmuResourceLocation` of [FMI 2.0] 2.1.5 for the FMU unpacked in `folder`: a URI of the scheme
/// `file` without host, with percent-encoded UTF-8.
///
/// # Errors
/// The path is not UTF-8.
pub fn uri(folder: &Path) -> Result<String, HostError> {
    let resources = folder.join(FOLDER);
    let path = utf8(&resources)?;
    Ok(uri_of(path, cfg!(windows)))
}

fn uri_of(path: &str, on_windows: bool) -> String {
    let mut uri = String::from("file://");
    let path = match on_windows {
        // C:\folder becomes /C:/folder, \\host\folder becomes //host/folder
        true => path.replace('\\', "/"),
        false => path.to_owned(),
    };
    if !path.starts_with('/') {
        uri.push('/');
    }
    for (index, byte) in path.bytes().enumerate() {
        if stays(byte) || on_windows && index == 1 && byte == b':' {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

/// `resourcePath` of [FMI 3.0] 2.3.1 for the FMU unpacked in `folder`: an absolute path with a
/// separator at its end; none where the FMU has no resources.
///
/// # Errors
/// The path is not UTF-8.
pub fn path(folder: &Path) -> Result<Option<String>, HostError> {
    let resources = folder.join(FOLDER);
    if !resources.is_dir() {
        return Ok(None);
    }
    Ok(Some(format!("{}{MAIN_SEPARATOR}", utf8(&resources)?)))
}

fn utf8(path: &Path) -> Result<&str, HostError> {
    path.to_str().ok_or_else(|| {
        HostError::Run(format!(
            "the temporary folder {} is not UTF-8, which FMI asks for",
            path.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By RFC 3986 section 2.1 and RFC 8089 appendix E.2.
    #[test]
    fn a_uri_encodes_all_but_letters_digits_and_separators() {
        assert_eq!(
            uri_of("/tmp/a b/ü%#?:/~x", false),
            "file:///tmp/a%20b/%C3%BC%25%23%3F%3A/~x"
        );
        assert_eq!(
            uri_of("C:\\Users\\a b\\r", true),
            "file:///C:/Users/a%20b/r"
        );
    }

    #[test]
    fn a_missing_folder_of_resources_is_no_path() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(path(folder.path()), Ok(None));
        std::fs::create_dir(folder.path().join("resources")).unwrap();
        let found = path(folder.path()).unwrap().unwrap();
        assert!(
            found.ends_with(&format!("resources{MAIN_SEPARATOR}")),
            "{found}"
        );
    }
}
