//! x
#![allow(missing_docs)]
pub mod assembly;
pub mod case;
pub mod cli;
pub mod contact;
pub mod element;
pub mod energy;
pub mod error;
pub mod linalg;
pub mod material;
pub mod mesh;
pub mod model;
pub mod output;
pub mod simulation;
pub mod step;
pub mod time;
