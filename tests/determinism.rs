//! The same case gives the same bits: again, and for any number of threads.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

mod support;

use delassus::assembly::{Body, DofMap, MassKind, assemble};
use delassus::linalg::factor;
use delassus::material::{Material, Section};
use delassus::mesh::Mesh;
use support::Folder;

/// Every result file but `summary.json`, which holds timings.
fn results(threads: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Folder::with_block();
    let steps = ["--set", "scheme.end=0.03", "--set", "output.fields_every=50"];
    let output = folder.run(&[&steps[..], &["--threads", threads, "--quiet"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", support::stderr(&output));
    let is_result =
        |name: &String| [".csv", ".vtu", ".pvd"].iter().any(|ending| name.ends_with(ending));
    let names = folder.names().into_iter().filter(is_result);
    names.map(|name| (name.clone(), std::fs::read(folder.path(&name)).unwrap())).collect()
}

#[test]
fn a_run_gives_the_same_bytes_again_and_for_any_number_of_threads() {
    let first = results("1");
    assert_eq!(first.len(), 2 + 2 * (1 + 7), "history, contacts, two collections of seven frames");
    for threads in ["1", "2", "3"] {
        for ((name, one), (other_name, other)) in first.iter().zip(results(threads)) {
            assert_eq!(*name, other_name);
            assert!(*one == other, "{name} differs with {threads} threads");
        }
    }
}

/// Products with M and K, both sweeps of the factor of M + h²θ²K, and its trailing block, as bits.
fn block_with(threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mesh = Mesh::rectangle([40.0, 25.0], [120, 75]);
        let elements: Vec<u32> = mesh.body_elements().map(|e| e as u32).collect();
        let material_of = vec![0; elements.len()];
        let material = Material {
            young: 5750.0,
            poisson: 0.358,
            density: 1.17e-3,
            section: Section::PlaneStress { thickness: 15.0 },
            damping_mass: 0.0,
            damping_stiffness: 0.0,
        };
        let body = Body { mesh: &mesh, elements, material_of, materials: vec![material] };
        let (operator, _) = assemble(&body, MassKind::Consistent);
        let n = operator.dofs();
        let wave: Vec<f64> = (0..n).map(|dof| (0.37 * dof as f64).sin()).collect();
        let (mut mv, mut kq) = (vec![0.0; n], vec![0.0; n]);
        operator.apply_into(&wave, &wave, &mut mv, &mut kq);

        let mut last = vec![false; mesh.points.len()];
        mesh.groups["bottom"].nodes.iter().for_each(|&node| last[node as usize] = true);
        let dofs =
            DofMap::new(operator.graph(), operator.dimension(), &last, Vec::new(), Vec::new());
        let effective = operator.scaled(1.0, 1e-10);
        let matrix = effective.upper_columns(&dofs.position, &dofs.order);
        let factor = factor(&matrix, dofs.trailing).expect("the block has mass");
        let mut scratch = factor.scratch();
        let (mut down, mut trailing) = (wave.clone(), wave);
        factor.forward(&mut down, &mut scratch);
        let mut up = down.clone();
        factor.backward(&mut up, &mut scratch);
        factor.forward_trailing(&mut trailing, &mut scratch);
        factor.backward_trailing(&mut trailing, &mut scratch);
        [mv, kq, down, up, trailing].concat().iter().map(|x| x.to_bits()).collect()
    })
}

#[test]
fn matrices_and_their_factor_have_the_same_bits_for_any_number_of_threads() {
    let one = block_with(1);
    for threads in [2, 3, 2] {
        let other = block_with(threads);
        let different = one.iter().zip(&other).filter(|(a, b)| a != b).count();
        assert_eq!(different, 0, "{threads} threads: of {} numbers", one.len());
    }
}
