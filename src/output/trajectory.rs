//! `trajectory.csv`: where masses, bodies and probes are, and what their contacts do, step by step.

use std::fmt::Write as _;
use std::path::Path;

use super::rows::Rows;
use super::{Moment, Recorder, View};
use crate::contact::{Against, ContactSet, Contacts, Grip};
use crate::energy::Term;
use crate::error::Error;
use crate::rigid::Tracked;
use crate::tape::Tape;
use crate::vector::dot;
use crate::vector::rotation::{matrix, of_vector, product};

/// The candidates of a contact set that share columns: a single one, or all of a set on a mesh, whose
/// smallest gap, velocities there, and sums of impulses and works are given.
struct CandidateColumns {
    name: String,
    candidates: Vec<usize>,
}

/// Writes the trajectory, by whole rows.
pub struct Trajectory<'a> {
    rows: Rows,
    tracked: &'a [Tracked],
    /// Known from the first row on.
    contacts: Option<Vec<CandidateColumns>>,
    /// Gap of every candidate in the row before.
    gaps: Vec<f64>,
    /// Whether its first line is there.
    headed: bool,
}

impl<'a> Trajectory<'a> {
    /// A trajectory with the steps that `every` divides, and `last_step`.
    pub fn create(
        path: &Path,
        every: usize,
        last_step: usize,
        tracked: &'a [Tracked],
        candidates: usize,
    ) -> Result<Self, Error> {
        Ok(Self::of(Rows::create(path, every, last_step)?, false, tracked, candidates))
    }

    /// Goes on with one that is there; [`Recorder::remember`] tells from where on.
    pub fn reopen(
        path: &Path,
        every: usize,
        last_step: usize,
        tracked: &'a [Tracked],
        candidates: usize,
    ) -> Result<Self, Error> {
        Ok(Self::of(Rows::reopen(path, every, last_step)?, true, tracked, candidates))
    }

    fn of(rows: Rows, headed: bool, tracked: &'a [Tracked], candidates: usize) -> Self {
        Self { rows, tracked, contacts: None, gaps: vec![0.0; candidates], headed }
    }

    fn write_head(&mut self, d: usize, contacts: &[CandidateColumns]) {
        let row = self.rows.text();
        row.push_str("step,time");
        let mut column = |name: &str, quantity: &str| {
            let _ = write!(row, ",{}.{quantity}", name.replace([',', '"', '\n'], "_"));
        };
        for tracked in self.tracked {
            let (name, turn, spin): (_, &[&str], &[&str]) = match tracked {
                Tracked::Mass { name, .. } | Tracked::Probe { name, .. } => (name, &[], &[]),
                Tracked::Body { name, .. } => (name, &["angle"], &["spin"]),
                Tracked::Solid { name, .. } => {
                    (name, &["qw", "qx", "qy", "qz"], &["wx", "wy", "wz"])
                }
            };
            ["x", "y", "z"][..d].iter().for_each(|axis| column(name, axis));
            turn.iter().for_each(|part| column(name, part));
            ["vx", "vy", "vz"][..d].iter().for_each(|axis| column(name, axis));
            spin.iter().for_each(|part| column(name, part));
        }
        for contact in contacts {
            CONTACT.iter().for_each(|quantity| column(&contact.name, quantity));
        }
        row.push('\n');
        self.headed = true;
    }
}

/// The columns of all contact sets.
fn columns_of(contacts: &Contacts) -> Vec<CandidateColumns> {
    let mut columns = Vec::new();
    // Bodies that meet each other have no candidates: contacts.pvd and pairs.csv tell of them.
    let has_candidates = |set: &ContactSet| !matches!(set.against, Against::Solids);
    let sets = contacts.sets.iter().enumerate();
    for (set, contact) in sets.filter(|(_, contact)| has_candidates(contact)) {
        let own = (0..contacts.len()).filter(|&c| contacts.candidates[c].set == set);
        let own: Vec<usize> = own.collect();
        let small = own.iter().all(|&c| contacts.candidates[c].grip.turns())
            || own.iter().all(|&c| contacts.candidates[c].grip == contacts.candidates[own[0]].grip);
        if own.len() > 1 && small {
            let one =
                |c: usize| CandidateColumns { name: contacts.name_of(c), candidates: vec![c] };
            columns.extend(own.into_iter().map(one));
        } else {
            columns.push(CandidateColumns { name: contact.name.clone(), candidates: own });
        }
    }
    columns
}

/// What is written of a contact: gap and relative velocity at the end of the step, impulse and work of the
/// step. In space the tangential ones are magnitudes. `p_open` is the part of `p_n` that pushed through the air.
const CONTACT: [&str; 8] = ["gap", "u_n", "u_t", "p_n", "p_t", "w_n", "w_t", "p_open"];
/// Gap tolerances from which on a contact is open.
const CLEARLY_OPEN: f64 = 10.0;

impl Recorder for Trajectory<'_> {
    fn record(&mut self, view: &View) -> Result<(), Error> {
        let columns = self.contacts.take().unwrap_or_else(|| columns_of(&view.problem.contacts));
        if !self.headed {
            self.write_head(view.problem.dofs.dimension, &columns);
        }
        let columns = self.contacts.insert(columns);
        if !self.rows.wants(view.state.step) {
            return Ok(());
        }
        let row = self.rows.text();
        let _ = write!(row, "{},{:?}", view.state.step, view.state.time);
        for tracked in self.tracked {
            write_tracked(row, tracked, view);
        }
        for contact in columns {
            for number in contact_row(view, &contact.candidates, &mut self.gaps) {
                let _ = write!(row, ",{number:?}");
            }
        }
        row.push('\n');
        self.rows.end_row(view.state.step)
    }

    fn remember(&mut self, at: Moment, tape: &mut Tape) -> Result<(), Error> {
        tape.reals(&mut self.gaps);
        self.rows.remember(at, tape)
    }

    fn hand_over(&mut self) -> Result<(), Error> {
        self.rows.flush()
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.rows.flush()
    }
}

fn write_tracked(row: &mut String, tracked: &Tracked, view: &View) {
    let (d, state) = (view.problem.dofs.dimension, view.state);
    let grips: &[Grip] = match tracked {
        Tracked::Mass { grip, .. } | Tracked::Body { grip, .. } | Tracked::Solid { grip, .. } => {
            std::slice::from_ref(grip)
        }
        Tracked::Probe { nodes, .. } => nodes,
    };
    let share = 1.0 / grips.len() as f64;
    let (mut place, mut velocity) = ([0.0; 3], [0.0; 3]);
    for grip in grips {
        let (x, v) = (grip.place(d, &state.q), grip.velocity(d, &grip.lever(&state.q), &state.v));
        (0..3).for_each(|i| place[i] += share * x[i]);
        (0..3).for_each(|i| velocity[i] += share * v[i]);
    }
    let dofs = grips[0].turn_dofs();
    let (mut angle, mut spin) = ([0.0; 4], [0.0; 3]);
    let turning = match tracked {
        Tracked::Mass { .. } | Tracked::Probe { .. } => [0, 0],
        Tracked::Body { angle: at_rest, .. } => {
            (angle[0], spin[0]) = (at_rest + state.q[dofs.start], state.v[dofs.start]);
            [1, 1]
        }
        Tracked::Solid { axes, .. } => {
            let [phi, omega] = [&state.q, &state.v].map(|x| [0, 1, 2].map(|k| x[dofs.start + k]));
            let turn = of_vector(phi);
            (angle, spin) = (product(turn, *axes), matrix(turn).map(|row| dot(row, omega)));
            [4, 3]
        }
    };
    let turned = [&angle[..turning[0]], &velocity[..d], &spin[..turning[1]]];
    for number in place[..d].iter().chain(turned.into_iter().flatten()) {
        let _ = write!(row, ",{number:?}");
    }
}

/// The numbers of [`CONTACT`]; `gaps` are those of the row before, and then of this one.
fn contact_row(view: &View, candidates: &[usize], gaps: &mut [f64]) -> [f64; 8] {
    let mut row = [f64::INFINITY, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let open = CLEARLY_OPEN * view.problem.activation.gap_tolerance;
    let tangential = |w: [f64; 3]| {
        if view.problem.dofs.dimension == 3 { w[1].hypot(w[2]) } else { w[1] }
    };
    for &c in candidates {
        let met = view.problem.contact(c, view.state);
        if met.gap < row[0] {
            let u = view.problem.relative_velocity(c, &met, view.state);
            [row[0], row[1], row[2]] = [met.gap, u[0], tangential(u)];
        }
        let p = view.contact.impulse[c];
        row[3] += p[0];
        row[4] += tangential(p);
        if f64::min(gaps[c], met.gap) > open {
            row[7] += p[0];
        }
        gaps[c] = met.gap;
        let at = view.contact.active.binary_search(&(c as u32));
        if let Some(work) = at.ok().and_then(|at| view.contact.work.get(at)) {
            row[5] += work[Term::Normal];
            row[6] += work[Term::Tangential];
        }
    }
    row
}
