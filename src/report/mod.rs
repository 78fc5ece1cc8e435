//! One page about runs.

pub mod viewer;
