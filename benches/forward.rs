//! The sweep down.

mod support;

fn main() {
    support::report_stages(&["forward"]);
}
