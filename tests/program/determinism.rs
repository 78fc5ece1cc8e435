//! The same case gives the same bits: again, and for any number of threads.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use delassus::assembly::{Body, DofMap, MassKind, assemble};
use delassus::case::Case;
use delassus::linalg::factor;
use delassus::material::{Material, Section};
use delassus::mesh::Mesh;

use crate::support::{self, Folder};

/// Cases that take long, and the steps of them that are taken here; contacts touch in all of them.
const SHORTER: &[(&str, usize)] = &[
    ("arch", 50),
    ("ball_on_plate", 4),
    ("billiards", 300),
    ("block_on_plane_3d", 100),
    ("bouncing_bar", 700),
    ("brake_pad", 200),
    ("column_on_shaken_ground", 20),
    ("dominoes", 500),
    ("friction_oscillator", 5000),
    ("incline", 100),
    ("kapla_tower", 20),
    ("masonry_wall", 20),
    ("pin_on_disk", 200),
    ("punch_on_block", 60),
    ("rock_on_wall", 30),
    ("rock_on_wall_paper", 30),
    ("rocking_tower", 500),
    ("sliding_block", 300),
    ("sliding_block_newton", 300),
    ("spinning_tops", 500),
    ("stone_bridge", 60),
    ("tippe_top", 500),
];

/// Every case of the repository, by name.
fn cases() -> Vec<String> {
    let files = std::fs::read_dir(support::repository("cases")).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let cases = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let mut names: Vec<String> =
        cases.map(|path| path.file_stem().unwrap().to_str().unwrap().into()).collect();
    names.sort();
    names
}

/// All result files of a case, by name; of the summary what is neither time nor memory.
fn results(name: &str, threads: &str) -> Vec<(String, Vec<u8>)> {
    let path = support::repository(&format!("cases/{name}.toml"));
    let case = Case::read(&path, &[]).unwrap();
    let short = SHORTER.iter().find(|(shorter, _)| *shorter == name);
    let steps = short.map_or(case.scheme.steps, |(_, steps)| *steps);
    let end = format!("scheme.end={:?}", steps as f64 * case.scheme.step);
    let frames = format!("output.fields_every={}", steps.div_ceil(2));
    let mut arguments = vec!["run", path.to_str().unwrap(), "--out", "out", "--set", &end];
    if case.mesh.is_some() {
        arguments.extend(["--set", &frames]);
    }
    arguments.extend(["--threads", threads, "--quiet"]);
    let folder = Folder::new();
    let output = folder.delassus(&arguments);
    assert_eq!(output.status.code(), Some(0), "{name}: {}", support::stderr(&output));
    let files = folder.names().into_iter().filter(|name| folder.path(name).is_file());
    files.map(|name| (name.clone(), comparable(&folder, &name))).collect()
}

fn comparable(folder: &Folder, name: &str) -> Vec<u8> {
    if !name.ends_with("summary.json") {
        return std::fs::read(folder.path(name)).unwrap();
    }
    let mut summary: serde_json::Value = serde_json::from_str(&folder.read(name)).unwrap();
    let keys = summary.as_object_mut().unwrap();
    // Memory is predicted for so many threads.
    for key in ["timings", "peak_memory", "predicted_memory", "seal"] {
        assert!(keys.remove(key).is_some(), "no {key} in the summary");
    }
    summary.to_string().into_bytes()
}

#[test]
fn every_case_gives_the_same_bytes_again_and_for_any_number_of_threads() {
    for case in cases() {
        let first = results(&case, "1");
        assert!(first.len() >= 3, "{case}: history, contacts and summary");
        for threads in ["1", "2", "3"] {
            let other = results(&case, threads);
            let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
                files.iter().map(|(name, _)| name.clone()).collect()
            };
            assert_eq!(names(&first), names(&other), "{case}");
            for ((name, one), (_, other)) in first.iter().zip(&other) {
                assert!(one == other, "{case}: {name} differs with {threads} threads");
            }
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
