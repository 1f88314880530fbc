//! The folder that a resource location names.
//!
//! [FMI 2.0] section 2.1.5 asks for a URI by RFC 3986.
//!
//! `file:/p`, `file:///p` and `file://localhost/p` (RFC 8089) name the path `/p`, percent-encoded; on
//! Windows `file:///C:/p` names `C:/p`, `file://server/p` and `file:////server/p` the path `//server/p`
//! of another machine (RFC 8089, appendix E). Importers also pass a plain path, or put an unencoded
//! path behind `file://`: all characters but `%` stand for themselves here, `#` and `?` included,
//! since the URI of a folder ends with its path.

use std::path::PathBuf;

/// The folder that `location` names; none where it is empty.
///
/// # Errors
/// Text for a location that is no path here: another scheme than file, another host, a relative
/// path behind `file:`, wrong percent-encoding.
pub(crate) fn folder(location: &str) -> Result<Option<PathBuf>, String> {
    if location.is_empty() {
        return Ok(None);
    }
    let problem = |what: &str| {
        format!(
            "resource location is {location:?}: {what}; pass the URI of the resources folder of \
             the unpacked FMU, like \"file:///tmp/fmu/resources\""
        )
    };
    let bytes = match scheme(location) {
        None => location.as_bytes().to_vec(),
        Some(("file", rest)) => absolute(rest, cfg!(windows)).map_err(|what| problem(&what))?,
        Some((other, _)) => return Err(problem(&format!("scheme {other:?} is not \"file\""))),
    };
    match path_of(bytes) {
        Some(path) => Ok(Some(path)),
        None => Err(problem("its bytes are not a path on this system")),
    }
}

/// Scheme in lower case, limited to what matters here, and the rest. A single letter is the drive
/// of a plain path.
fn scheme(location: &str) -> Option<(&str, &str)> {
    let (name, rest) = location.split_once(':')?;
    let letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    if name.len() < 2 || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    if name.eq_ignore_ascii_case("file") {
        return Some(("file", rest));
    }
    name.chars().all(letter).then_some((name, rest))
}

/// The absolute path behind `file:`.
fn absolute(rest: &str, windows: bool) -> Result<Vec<u8>, String> {
    let (host, path) = match rest.strip_prefix("//") {
        None => ("", rest),
        // `file://C:/p` is what importers make of a path of Windows.
        Some(path) if windows && starts_with_drive(path.as_bytes()) => ("", path),
        Some(behind) => behind.split_at(behind.find('/').unwrap_or(behind.len())),
    };
    let is_local = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    let path = decode(path)?;
    match (is_local, windows) {
        (false, false) => return Err(format!("host {host:?} is not this machine")),
        (false, true) => return Ok([b"//", &decode(host)?[..], &path].concat()),
        (true, _) => {}
    }
    let slashes = path.iter().take_while(|byte| **byte == b'/').count();
    let bare = &path[slashes..];
    if windows && starts_with_drive(bare) {
        return Ok(bare.to_vec());
    }
    if path.starts_with(b"/") {
        return Ok(path);
    }
    Err("its path is not absolute".into())
}

fn starts_with_drive(path: &[u8]) -> bool {
    matches!(path, [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Takes the percent-encoding away (RFC 3986 section 2.1).
fn decode(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let Some((high, low)) = behind
            .first()
            .and_then(digit)
            .zip(behind.get(1).and_then(digit))
        else {
            return Err("% is not followed by two hexadecimal digits (% itself is %25)".into());
        };
        let byte = (high * 16 + low) as u8;
        if byte == 0 {
            return Err("%00 cannot be part of a path".into());
        }
        bytes.push(byte);
        rest = &behind[2..];
    }
    Ok(bytes)
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

/// Elsewhere paths are Unicode.
#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[track_caller]
    fn names(location: &str, path: &str) {
        assert_eq!(folder(location).unwrap().as_deref(), Some(Path::new(path)));
    }

    #[track_caller]
    fn refused(location: &str, word: &str) {
        let reason = folder(location).unwrap_err();
        assert!(
            reason.contains(word) && reason.contains(&format!("{location:?}")),
            "{reason}"
        );
    }

    #[test]
    fn an_empty_location_names_none() {
        assert_eq!(folder(""), Ok(None));
    }

    // RFC 8089, section 2 and appendix B: the forms of one local path.
    #[test]
    #[cfg(unix)]
    fn all_forms_of_a_local_file_uri_name_its_path() {
        for uri in [
            "file:/tmp/f/resources",
            "file:///tmp/f/resources",
            "file://localhost/tmp/f/resources",
            "FILE://LocalHost/tmp/f/resources",
            "file:///tmp/f/resources/",
        ] {
            names(uri, "/tmp/f/resources");
        }
    }

    // RFC 3986, section 2.1: a space is %20; section 2.5: UTF-8 bytes of ä are C3 A4.
    #[test]
    #[cfg(unix)]
    fn percent_encoding_is_taken_away_and_raw_characters_stand_for_themselves() {
        names("file:///a%20b/%C3%A4%c3%a4%25%2F", "/a b/ää%/");
        names("file:///a b/ä#1?2+3", "/a b/ä#1?2+3");
    }

    #[test]
    #[cfg(unix)]
    fn bytes_that_are_not_unicode_are_a_path_too() {
        use std::os::unix::ffi::OsStrExt;
        let path = folder("file:///%E4").unwrap().unwrap();
        assert_eq!(path.as_os_str().as_bytes(), b"/\xE4");
    }

    #[test]
    #[cfg(unix)]
    fn a_plain_path_is_taken_as_it_is() {
        names("/tmp/a%20b/resources", "/tmp/a%20b/resources");
        names("relative/resources", "relative/resources");
        names("a b:c", "a b:c");
    }

    #[test]
    fn a_drive_is_not_a_scheme() {
        assert_eq!(scheme("C:/p"), None);
        assert_eq!(scheme("C:\\p"), None);
        for form in [
            "///C:/p",
            "/C:/p",
            "//C:/p",
            "//localhost/C:/p",
            "///C%3A/p",
            "/C%3a/p",
        ] {
            assert_eq!(absolute(form, true), Ok(b"C:/p".to_vec()), "{form}");
        }
        assert_eq!(absolute("///C:/p", false), Ok(b"/C:/p".to_vec()));
    }

    // RFC 8089, appendix E.3: a share of another machine, which only Windows has in paths.
    #[test]
    fn a_host_is_that_of_a_share_on_windows() {
        for form in ["//server/share/a%20b", "////server/share/a%20b"] {
            assert_eq!(
                absolute(form, true),
                Ok(b"//server/share/a b".to_vec()),
                "{form}"
            );
        }
        assert_eq!(absolute("////server/p", false), Ok(b"//server/p".to_vec()));
    }

    #[test]
    fn what_is_no_local_folder_is_refused_with_the_reason() {
        refused("http://example.org/resources", "\"http\"");
        refused("x-a+b.c:/p", "x-a+b.c");
        refused("file://server/share/resources", "\"server\"");
        refused("file:resources", "absolute");
        refused("file:", "absolute");
        refused("file://", "absolute");
        for bad in ["%", "%2", "%2x", "%zz/", "%+1"] {
            refused(&format!("file:///tmp/{bad}"), "hexadecimal");
        }
        refused("file:///tmp/%00", "%00");
    }
}
