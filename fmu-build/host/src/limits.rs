//! What an FMU may cost the machine that reads it.
//!
//! An FMU comes from anywhere, and a small file can ask for any amount of disk and memory. Each
//! limit is far above what models need; options of the command line raise it.

/// Limits for reading an FMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that the archive unpacks to at most.
    pub unpacked: u64,
    /// Bytes of modelDescription.xml at most.
    pub description: u64,
    /// Values of all variables at most, each entry of an array counted; also states and event
    /// indicators at most.
    pub values: usize,
}

/// Bytes of a MiB, the unit of the options and messages.
pub const MIB: u64 = 1 << 20;

impl Limits {
    /// The default limits. The tree of a description takes up to twelve times its size, and the
    /// temporary folder may be in memory.
    pub const USUAL: Limits = Limits {
        unpacked: 1024 * MIB,
        description: 64 * MIB,
        values: 4_000_000,
    };
    /// None: of an FMU that this program has just made of a scene, which is the user's own.
    pub const NONE: Limits = Limits {
        unpacked: u64::MAX,
        description: u64::MAX,
        values: usize::MAX,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::USUAL
    }
}
