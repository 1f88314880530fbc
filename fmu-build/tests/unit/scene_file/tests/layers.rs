//! Files that are no text, and problems as data.

use super::super::{parse, read};

#[test]
fn a_file_that_cannot_be_read_is_named_as_the_user_named_it() {
    let error = read("no/such/scene.toml".as_ref()).unwrap_err();
    assert_eq!(error.list.len(), 1);
    assert_eq!(error.list[0].span, None);
    let text = error.to_string();
    assert!(
        text.starts_with("no/such/scene.toml: error: cannot be read: "),
        "{text}"
    );
}

#[test]
fn a_byte_that_is_not_utf8_has_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, b"format = 1\n# \xc3\xa4 \xe4\n").unwrap();
    let expected = format!(
        "{}:2:5: error: byte 0xe4 is not UTF-8\n  help: save the file as UTF-8",
        path.display()
    );
    assert_eq!(read(&path).unwrap_err().to_string(), expected);
}

#[test]
fn diagnostics_are_data_too() {
    let error = parse("format = 1\nnam = 1\n", "a.toml").unwrap_err();
    assert_eq!(error.file, "a.toml");
    let places: Vec<(usize, usize)> = error
        .list
        .iter()
        .filter_map(|d| error.position(d).map(|p| (p.line, p.column)))
        .collect();
    assert_eq!(places, [(1, 1), (1, 1), (1, 1), (2, 1)]);
}
