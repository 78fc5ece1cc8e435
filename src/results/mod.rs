//! A results folder read back: what a run wrote, checked before it is believed.

mod frames;
mod tags;
mod vtu;

pub use frames::Frames;
pub use vtu::{Array, FrameData};
