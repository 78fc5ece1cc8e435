//! The energy ledger, its residual and the certificate.

mod certificate;
mod ledger;

pub use certificate::{BALANCE_TOLERANCE, Certificate, Coverage, Verdict, WORK_TOLERANCE, Worst};
pub use ledger::{ContactTotals, ContactWork, Ledger, StepBalance, StepTerms, Totals};
