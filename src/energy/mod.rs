//! The energy ledger, its residual and the certificate.

mod bodies;
mod certificate;
mod coverage;
mod ledger;
mod terms;

pub use bodies::{BodyBalance, BodyTerms};
pub use certificate::{
    Certificate, REMEMBERED, STORE_SHARE, SetWork, Verdict, WORK_SHARE, Worst, balance_limit, share,
};
pub use coverage::Coverage;
pub use ledger::Ledger;
pub use terms::{ContactTotals, ContactWork, NumericalWork, StepBalance, StepTerms, Totals};
