//! Nodes and energy against closed forms, independent integration and their own gradient.

mod closed_forms;
mod help;
mod potential;
