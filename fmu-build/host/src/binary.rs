//! Checks of a shared library before the system loads it.
//!
//! The system maps a library into memory without checking the size of the file, and a program that touches
//! the missing part of a truncated file is killed (SIGBUS on Linux). So format, architecture and the extents
//! of sections and segments are compared with this platform and with the file first.

use object::read::{File, FileKind, Object, ObjectSegment};
use object::{Architecture, BinaryFormat};
use std::env::consts;

/// Checks the content of a library for this platform.
///
/// # Errors
/// Text: empty, another format or architecture, or headers that point beyond the end.
pub(crate) fn check(content: &[u8]) -> Result<(), String> {
    let file = whole(content)?;
    let (format, wanted) = match &file {
        Some(file) => (file.format(), native_format()),
        None => (BinaryFormat::MachO, native_format()),
    };
    if format != wanted {
        return Err(format!(
            "it is a library in the format {format:?}; this system loads {wanted:?}"
        ));
    }
    // A universal file of macOS holds several libraries; the system picks and checks one.
    let Some(file) = file else {
        return Ok(());
    };
    let architecture = file.architecture();
    if native_architecture().is_some_and(|wanted| wanted != architecture) {
        return Err(format!(
            "it is made for the architecture {architecture:?}; this program runs on {}",
            consts::ARCH
        ));
    }
    Ok(())
}

/// Headers of a library for any platform; `None` for a universal file of macOS.
///
/// # Errors
/// Text: empty, no library, or headers that point beyond the end.
pub fn whole(content: &[u8]) -> Result<Option<File<'_>>, String> {
    let size = content.len();
    let kind = FileKind::parse(content)
        .map_err(|_| format!("its {size} bytes are no shared library of any system"))?;
    if matches!(kind, FileKind::MachOFat32 | FileKind::MachOFat64) {
        return Ok(None);
    }
    let cut_off = |what: String| {
        format!(
            "the file is cut off or damaged: it has {size} bytes, but {what}; export or copy the FMU again"
        )
    };
    let file = File::parse(content).map_err(|e| cut_off(format!("its headers say more ({e})")))?;
    for (index, segment) in file.segments().enumerate() {
        if segment.data().is_err() {
            let (start, length) = segment.file_range();
            return Err(cut_off(format!(
                "segment {index} is {length} bytes from byte {start}"
            )));
        }
    }
    Ok(Some(file))
}

fn native_format() -> BinaryFormat {
    match consts::OS {
        "windows" => BinaryFormat::Pe,
        "macos" | "ios" => BinaryFormat::MachO,
        _ => BinaryFormat::Elf,
    }
}

fn native_architecture() -> Option<Architecture> {
    match consts::ARCH {
        "x86_64" => Some(Architecture::X86_64),
        "x86" => Some(Architecture::I386),
        "aarch64" => Some(Architecture::Aarch64),
        "arm" => Some(Architecture::Arm),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn this_program() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    #[test]
    fn a_whole_file_for_this_platform_is_good() {
        assert_eq!(check(&this_program()), Ok(()));
    }

    #[test]
    fn a_file_cut_off_anywhere_is_refused() {
        let whole = this_program();
        let n = whole.len();
        for kept in [
            0,
            1,
            3,
            4,
            16,
            63,
            64,
            65,
            300,
            4096,
            n / 7,
            n / 2,
            n - 1000,
            n - 1,
        ] {
            let error = check(&whole[..kept]).unwrap_err();
            assert!(error.contains(&format!("{kept} bytes")), "{kept}: {error}");
        }
    }

    /// Offsets by the ELF specification: class at 4, e_machine at 18 (183 is AArch64, 62 x86-64),
    /// e_phoff at 32, e_shoff at 40, e_shnum at 60; p_filesz at 32 of a program header.
    #[test]
    #[cfg(target_os = "linux")]
    fn another_architecture_and_segments_beyond_the_end_are_named() {
        let whole = this_program();
        let mut other = whole.clone();
        other[18] = if whole[18] == 62 { 183 } else { 62 };
        let error = check(&other).unwrap_err();
        assert!(
            error.contains("architecture") && error.contains(consts::ARCH),
            "{error}"
        );
        // Without a table of sections the length follows from the segments alone.
        let mut long = whole.clone();
        long[40..48].fill(0);
        long[60..62].fill(0);
        let headers = u64::from_le_bytes(whole[32..40].try_into().unwrap()) as usize;
        let load = (0..20).map(|i| headers + 56 * i).find(|at| whole[*at] == 1);
        let size = load.unwrap() + 32;
        assert_eq!(check(&long), Ok(()));
        long[size..size + 8].copy_from_slice(&(whole.len() as u64 + 1).to_le_bytes());
        let error = check(&long).unwrap_err();
        assert!(
            error.contains("cut off") && error.contains("segment"),
            "{error}"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_library_of_another_system_is_named() {
        // The least file with the head of a Portable Executable for x86-64: header at 0x40, no
        // section, optional header of 240 bytes for 64 bits (0x20b) with 16 directories.
        let mut windows = vec![0; 0x200];
        windows[..2].copy_from_slice(b"MZ");
        windows[0x3c] = 0x40;
        windows[0x40..0x46].copy_from_slice(b"PE\0\0\x64\x86");
        windows[0x54] = 240;
        windows[0x58..0x5a].copy_from_slice(&0x20b_u16.to_le_bytes());
        windows[0x58 + 108] = 16;
        let error = check(&windows).unwrap_err();
        assert!(error.contains("Pe") && error.contains("Elf"), "{error}");
    }
}
