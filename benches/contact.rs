//! The cone problem of a step, by the stepper.

mod support;

fn main() {
    support::report_stages(&["contact"]);
}
