//! The sweep up.

mod support;

fn main() {
    support::report_stages(&["backward"]);
}
