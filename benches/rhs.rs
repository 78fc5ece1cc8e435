//! The right-hand side, and the products with M and K that the next one needs.

mod support;

fn main() {
    support::report_stages(&["rhs", "advance"]);
}
