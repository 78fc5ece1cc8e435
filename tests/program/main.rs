//! The program by its command line: what it takes, prints, writes and refuses, and what it does when it is
//! stopped or its files are damaged.

#[path = "../support/mod.rs"]
mod support;

mod bad_bodies;
mod bad_input;
mod bodies;
mod cases;
mod compare;
mod determinism;
mod explore;
mod faults;
mod first_steps;
mod forging;
mod matrices;
mod pairs;
mod remedies;
mod report;
mod resume;
mod schema;
mod storage;
mod study;
mod unfinished;
