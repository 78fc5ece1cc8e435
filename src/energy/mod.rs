//! The table of energy terms, the ledger of them, its residual and the certificate.

mod bodies;
mod certificate;
mod columns;
mod coverage;
mod ledger;
mod pairs;
mod table;
mod terms;

pub use bodies::{BodyBalance, BodySums, BodyTerms};
pub use certificate::{
    Certificate, LargestWorks, REMEMBERED, STORE_SHARE, SetWork, Verdict, WORK_SHARE, Worst,
    balance_limit, share,
};
pub use columns::read_under_columns;
pub use coverage::Coverage;
pub use ledger::Ledger;
pub use pairs::{PairAccount, PairAccounts};
pub use table::{AskedSign, TOTAL, Term, TermClass, TermLine};
pub use terms::{
    ContactTerms, ContactTotals, ContactWork, NumericalWork, StepBalance, StepTerms, Terms, Totals,
};
