//! One FMU instance, in no FMI version's words.

pub mod variables;
