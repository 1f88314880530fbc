//! Platforms by the FMI 3.0 name of their folder in `binaries/`, `<architecture>-<system>`. FMI 2.0 has other
//! names for three of them.

use fmu_core::instance::Standard;
use std::env::consts;

/// Platform of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    /// Folder name in FMI 3.0, `x86_64-linux`.
    pub name: &'static str,
    /// File name extension of a library, without the dot.
    pub extension: &'static str,
    format: BinaryFormat,
}

/// File format of a library with the number of its architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BinaryFormat {
    /// ELF, `e_machine`.
    Elf(u16),
    /// Portable Executable, `Machine`.
    Pe(u16),
    /// Mach-O, `cputype`.
    MachO(u32),
}

pub(crate) const PLATFORMS: [Platform; 6] = [
    platform("x86_64-linux", "so", BinaryFormat::Elf(62)),
    platform("aarch64-linux", "so", BinaryFormat::Elf(183)),
    platform("x86_64-windows", "dll", BinaryFormat::Pe(0x8664)),
    platform("aarch64-windows", "dll", BinaryFormat::Pe(0xaa64)),
    platform("x86_64-darwin", "dylib", BinaryFormat::MachO(0x0100_0007)),
    platform("aarch64-darwin", "dylib", BinaryFormat::MachO(0x0100_000c)),
];

const fn platform(name: &'static str, extension: &'static str, format: BinaryFormat) -> Platform {
    Platform {
        name,
        extension,
        format,
    }
}

impl Platform {
    pub(crate) fn named(name: &str) -> Option<Platform> {
        PLATFORMS.into_iter().find(|p| p.name == name)
    }

    /// Platform of this program, if FMI has a name for it here.
    pub fn host() -> Option<Platform> {
        let system = match consts::OS {
            "macos" => "darwin",
            other => other,
        };
        Platform::named(&format!("{}-{system}", consts::ARCH))
    }

    /// Folder in `Resources/Library/` of a Modelica package, [Modelica 3.6] section 12.9.4.
    pub(crate) fn modelica_folder(&self) -> &'static str {
        // Those of FMI 2.0.
        self.folder(Standard::Fmi2)
    }

    /// File name of a library there.
    pub(crate) fn library_file(&self, name: &str) -> String {
        let prefix = if self.extension == "dll" { "" } else { "lib" };
        format!("{prefix}{name}.{}", self.extension)
    }

    /// Folder name in `binaries/`. FMI 2.0 names no ARM platforms; their folders have the names of FMI 3.0.
    pub fn folder(&self, standard: Standard) -> &'static str {
        match (standard, self.name) {
            (Standard::Fmi2, "x86_64-linux") => "linux64",
            (Standard::Fmi2, "x86_64-windows") => "win64",
            (Standard::Fmi2, "x86_64-darwin") => "darwin64",
            _ => self.name,
        }
    }

    pub(crate) fn names() -> String {
        PLATFORMS.map(|p| p.name).join(", ")
    }

    /// Returns true if the head of a file is that of a library for this platform.
    pub(crate) fn owns(&self, file: &[u8]) -> bool {
        let u16_at = |at: usize| Some(u16::from_le_bytes(*file.get(at..)?.first_chunk()?));
        let u32_at = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?));
        match self.format {
            BinaryFormat::Elf(machine) => {
                // 64-bit, little-endian.
                file.starts_with(b"\x7fELF\x02\x01") && u16_at(18) == Some(machine)
            }
            BinaryFormat::Pe(machine) => {
                let header = u32_at(0x3c).map(|at| at as usize);
                file.starts_with(b"MZ")
                    && header.is_some_and(|at| {
                        u32_at(at) == Some(u32::from_le_bytes(*b"PE\0\0"))
                            && u16_at(at + 4) == Some(machine)
                    })
            }
            BinaryFormat::MachO(machine) => {
                // A universal file holds several architectures.
                let universal = file.starts_with(b"\xca\xfe\xba\xbe");
                universal || u32_at(0) == Some(0xfeed_facf) && u32_at(4) == Some(machine)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_running_program_is_of_the_host_platform_and_of_no_other() {
        let host = Platform::host().unwrap();
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        for platform in PLATFORMS {
            assert_eq!(
                platform.owns(&program),
                platform == host,
                "{}",
                platform.name
            );
        }
    }

    #[test]
    fn folders_have_the_names_of_the_fmi_version() {
        let folders = |standard| PLATFORMS.map(|platform| platform.folder(standard));
        let fmi3 = [
            "x86_64-linux",
            "aarch64-linux",
            "x86_64-windows",
            "aarch64-windows",
            "x86_64-darwin",
            "aarch64-darwin",
        ];
        assert_eq!(folders(Standard::Fmi3), fmi3);
        let [_, arm_linux, _, arm_windows, _, arm_darwin] = fmi3;
        let fmi2 = [
            "linux64",
            arm_linux,
            "win64",
            arm_windows,
            "darwin64",
            arm_darwin,
        ];
        assert_eq!(folders(Standard::Fmi2), fmi2);
    }

    #[test]
    fn headers_of_other_systems_are_known() {
        // Heads typed from the format descriptions: PE with its header at 0x80, Mach-O.
        let mut windows = vec![0; 0x90];
        windows[..2].copy_from_slice(b"MZ");
        windows[0x3c] = 0x80;
        windows[0x80..0x86].copy_from_slice(b"PE\0\0\x64\x86");
        assert!(Platform::named("x86_64-windows").unwrap().owns(&windows));
        assert!(!Platform::named("aarch64-windows").unwrap().owns(&windows));
        let mac = b"\xcf\xfa\xed\xfe\x0c\0\0\x01";
        assert!(Platform::named("aarch64-darwin").unwrap().owns(mac));
        assert!(!Platform::named("x86_64-darwin").unwrap().owns(mac));
    }

    #[test]
    fn a_short_or_empty_file_is_of_no_platform() {
        let whole = b"MZ\x7fELF\x02\x01";
        for end in 0..whole.len() {
            assert!(PLATFORMS.iter().all(|p| !p.owns(&whole[..end])));
        }
        // PE header announced far outside the file.
        let mut windows = vec![0xff; 0x40];
        windows[..2].copy_from_slice(b"MZ");
        assert!(PLATFORMS.iter().all(|p| !p.owns(&windows)));
    }
}
