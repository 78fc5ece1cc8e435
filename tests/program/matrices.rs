//! `delassus matrices`: what it writes, read back, is what the engine computes with.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use delassus::case::Case;
use delassus::energy::Term;
use delassus::simulation;
use delassus::step::{March, Matrices};
use nalgebra::{DMatrix, DVector};
use nalgebra_sparse::{CooMatrix, CsrMatrix};

use crate::support::{Folder, repository, stderr, stdout};

/// A file of the coordinate format, as any reader of it takes it.
fn read(folder: &Folder, name: &str) -> CsrMatrix<f64> {
    let text = folder.read(&format!("matrices/{name}.mtx"));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("%%MatrixMarket matrix coordinate real general"));
    let mut lines = lines.filter(|line| !line.starts_with('%'));
    let sizes: Vec<usize> =
        lines.next().unwrap().split(' ').map(|word| word.parse().unwrap()).collect();
    let mut matrix = CooMatrix::new(sizes[0], sizes[1]);
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let [row, column] = [0, 1].map(|at| words[at].parse::<usize>().unwrap() - 1);
        matrix.push(row, column, words[2].parse().unwrap());
    }
    assert_eq!(matrix.nnz(), sizes[2]);
    CsrMatrix::from(&matrix)
}

fn dense(matrix: &CsrMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from(matrix)
}

/// Rows and columns of the dofs that dofs.csv has for free.
fn free(folder: &Folder) -> Vec<usize> {
    let text = folder.read("matrices/dofs.csv");
    let rows = text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let is_free = |row: &Vec<&str>| row[7] == "0";
    rows.filter(is_free).map(|row| row[0].parse::<usize>().unwrap() - 1).collect()
}

fn march_of(folder: &Folder, case: &str, steps: usize) -> March {
    let case = Case::read(&folder.path(case), &[]).unwrap();
    simulation::march(&case, steps).unwrap().1
}

/// W of the files against M̂⁻¹ by a dense solve; kinetic and strain energy against those of the account.
fn check(folder: &Folder, march: &March) {
    let [m, k, c, h, w] = ["M", "K", "C", "H", "W"].map(|name| read(folder, name));
    let own = Matrices::of(march.problem());
    assert_eq!(dense(&m), dense(&own.mass));
    assert_eq!(dense(&k), dense(&own.stiffness));
    assert_eq!(dense(&c), dense(&own.damping));

    let (state, now) = (march.state(), march.ledger().totals());
    let [q, v] = [&state.q, &state.v].map(|x| DVector::from_column_slice(x));
    let kinetic = 0.5 * v.dot(&(&m * &v));
    let strain = 0.5 * q.dot(&(&k * &q));
    assert!(
        (kinetic - now[Term::Kinetic]).abs() <= 1e-13 * now[Term::Kinetic],
        "{kinetic} {}",
        now[Term::Kinetic]
    );
    // K sees differences only in the engine, and translations by rounding here.
    assert!(
        (strain - now[Term::Strain]).abs() <= 1e-9 * now[Term::Strain],
        "{strain} {}",
        now[Term::Strain]
    );

    let free = free(folder);
    assert_eq!(free.len(), march.problem().dofs.order.len());
    let effective = dense(&own.effective).select_rows(&free).select_columns(&free);
    let h = dense(&h).select_columns(&free);
    let expected = &h * effective.cholesky().unwrap().solve(&h.transpose());
    let w = dense(&w);
    assert!((&w - &expected).amax() <= 1e-12 * expected.amax());
    assert!(w.nrows() > 0 && (&w - w.transpose()).amax() <= 1e-15 * w.amax());
}

#[test]
fn matrices_of_the_sliding_block_are_those_of_its_energies_and_contacts() {
    let folder = Folder::with_block();
    let out = folder.delassus(&["matrices", "case.toml", "--after", "7", "--out", "matrices"]);
    assert!(out.status.success(), "{}", stderr(&out));
    let march = march_of(&folder, "case.toml", 7);
    let said = stdout(&out);
    let active = march.contact_matrices().contacts.len();
    assert!(said.contains("M, K, C     2454 x 2454"), "{said}");
    assert!(said.contains(&format!("{} rows, of {active} active contacts", 2 * active)), "{said}");
    check(&folder, &march);

    // W is what a step solves with, over the contacts that are active where it starts.
    let mut next = march_of(&folder, "case.toml", 7);
    let own = next.contact_matrices();
    let _ = next.step();
    assert_eq!(next.contacts().active, own.contacts);
    let cone = next.cone_problem();
    let mut p = vec![0.0; own.w.nrows()];
    p[3] = 1.0;
    let (mut u, mut still) = (vec![0.0; p.len()], vec![0.0; p.len()]);
    cone.velocity_into(&p, &mut u);
    cone.velocity_into(&vec![0.0; p.len()], &mut still);
    let scale = own.w.amax();
    for row in 0..p.len() {
        assert!((u[row] - still[row] - own.w[(row, 3)]).abs() <= 1e-9 * scale, "row {row}");
    }
}

/// A rigid body and a damped spring to the ground.
#[test]
fn matrices_of_a_body_on_a_dashpot_name_its_angle() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(repository("cases/rocking_block.toml")).unwrap();
    let spring = "[spring.leg]\nbetween = [\"block\", \"ground\"]\naxis = [0.0, 1.0]\nstiffness = 3.0\ndamping = 0.5\n";
    folder.write("case.toml", text + spring);
    let arguments = ["matrices", "case.toml", "--after", "700", "--out", "matrices"];
    let out = folder.delassus(&arguments);
    assert!(out.status.success(), "{}", stderr(&out));
    let dofs = folder.read("matrices/dofs.csv");
    let components: Vec<&str> = dofs.lines().map(|line| line.split(',').nth(3).unwrap()).collect();
    assert_eq!(components, ["component", "x", "y", "angle"]);
    let driven: Vec<&str> = dofs.lines().map(|line| line.split(',').nth(7).unwrap()).collect();
    assert_eq!(driven, ["driven", "0", "0", "0"]);
    let [m, k, c] = ["M", "K", "C"].map(|name| dense(&read(&folder, name)));
    assert_eq!([m[(0, 0)], m[(1, 1)], m[(2, 2)]], [1.0, 1.0, 1.0 / 12.0]);
    assert_eq!([k[(1, 1)], k[(0, 0)], c[(1, 1)]], [3.0, 0.0, 0.5]);
}

#[test]
fn a_folder_that_cannot_be_made_is_told_of_and_a_misspelt_key_too() {
    let folder = Folder::with_block();
    let out = folder.delassus(&["matrices", "case.toml", "--out", "case.toml/inside"]);
    assert_eq!(out.status.code(), Some(1), "{}", stderr(&out));
    assert!(stderr(&out).contains("case.toml/inside"), "{}", stderr(&out));
    let out = folder.delassus(&["matrices", "case.toml", "--set", "scheme.stp=1"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(!folder.path("results").exists());
}
