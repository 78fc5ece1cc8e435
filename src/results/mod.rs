//! A results folder read back: what a run wrote, checked before it is believed.

mod frames;
mod tags;
mod units;
mod vtu;

pub use frames::Frames;
pub use units::{Dimension, Units, axis_label};
pub use vtu::{Array, FrameData};
