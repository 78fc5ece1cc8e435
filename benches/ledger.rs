//! The energy ledger.

mod support;

fn main() {
    support::report_stages(&["ledger"]);
}
