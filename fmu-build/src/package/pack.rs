//! The pack: the FMU binaries of several platforms in one ZIP file, compressed once, when they are
//! made (`fmu-build/release/build-binaries`), so that an FMU takes them as they are.
//!
//! Its files are `<platform>/<library>`, as in `x86_64-linux/libcontact_fmu.so`; its comment is the
//! text of [`fmu_core::SOURCE`] that all of them hold.

use super::archive::{Content, Packed, Shared};
use super::platform::{PLATFORMS, Platform};
use std::io::Cursor;
use zip::ZipArchive;

/// What a library and the comment of a pack begin their stamp with.
const MARK: &[u8] = b"contact-fmu source ";
/// Hexadecimal digits of a stamp.
const DIGITS: usize = 8;

/// The stamp of the sources that this program was compiled from.
pub fn own_stamp() -> &'static str {
    &fmu_core::SOURCE[MARK.len()..][..DIGITS]
}

/// The stamp in a library; none where it is no library of this project, or older than stamps.
pub fn stamp(library: &[u8]) -> Option<&str> {
    let after = memchr::memmem::find(library, MARK)? + MARK.len();
    std::str::from_utf8(library.get(after..after + DIGITS)?).ok()
}

/// Binaries of several platforms.
#[derive(Clone, Debug)]
pub struct Pack {
    archive: Packed,
    /// Of the sources that the binaries were compiled from.
    pub stamp: String,
}

impl Pack {
    /// Reads a pack.
    ///
    /// # Errors
    /// In words: it is no ZIP archive, or not one that `build-binaries` made.
    pub fn read(bytes: Shared) -> Result<Pack, String> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
        let stamp = stamp(archive.comment())
            .ok_or("its comment does not say which sources it was made from")?
            .to_owned();
        Ok(Pack { archive, stamp })
    }

    /// The platforms that it has a binary for, with their binaries.
    pub fn binaries(&self) -> impl Iterator<Item = (Platform, Content)> {
        PLATFORMS.into_iter().filter_map(|platform| {
            let name = format!("{}/{}", platform.name, platform.library_file("contact_fmu"));
            let is_there = self.archive.index_for_name(&name).is_some();
            is_there.then(|| (platform, Content::Packed(self.archive.clone(), name)))
        })
    }
}
