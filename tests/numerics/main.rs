//! The engine through its library: elements, meshes, schemes, contact and friction, energy, and the numbers
//! that the manual shows.

#[path = "../../benches/support/mod.rs"]
mod block;
#[allow(clippy::print_stdout)] // a numerical test prints what it found
mod elements {
    pub mod bodies;
    mod convergence;
    mod locking;
    pub mod orders;
    pub mod patch;
    mod single;
}
#[path = "../support/mod.rs"]
mod support;

mod audit;
mod bars;
mod contact_solvers;
mod detection;
mod energy;
mod finite_elements;
mod friction;
mod friction_properties;
mod independence;
mod invariance;
mod joints_in_space;
mod library;
mod masonry;
mod mesh_kinds;
mod mesh_reading;
mod onto_bodies;
mod passing;
mod problem_files;
mod rigid_problems;
mod rooms;
mod schemes;
mod schemes_of_bodies;
mod sliding_block;
mod solids;
mod space;
mod studies;
mod systems;
mod time_convergence;
mod verification;
