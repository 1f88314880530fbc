//! FMUs on disk, and the same instances through FMI 3.0.

#[path = "../fmi3/importer.rs"]
#[allow(dead_code)]
pub mod importer;

#[path = "../fmi3/exchange.rs"]
mod exchange;
