//! The repository held to its own word: the map of its rooms, its words, its dependencies, the book, the README and the
//! figures.

#[path = "../support/mod.rs"]
mod support;

mod book;
mod doors;
mod figures;
mod hops;
mod readme;
mod supply_chain;
mod terms;
mod words;
