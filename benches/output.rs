//! Writing a VTK frame.

mod support;

use delassus::assembly::stress_of;
use delassus::output::vtu::{Field, Grid, VtuFrame, write_vtu};
use support::{block, block_mesh, print_time, repeats, sizes, step_size, time};

fn main() {
    let path = std::env::temp_dir().join(format!("delassus_bench_{}.vtu", std::process::id()));
    for &cells in sizes() {
        let mesh = block_mesh(cells);
        let (body, problem, state) = block(&mesh, step_size(cells));
        let n = problem.operator.dofs();
        let connectivity: Vec<u32> =
            (0..body.elements.len()).flat_map(|e| body.nodes_of(e)).copied().collect();
        let offsets: Vec<u32> = (0..=body.elements.len() as u32).map(|e| 3 * e).collect();
        let grid = Grid {
            points: &mesh.points,
            connectivity: &connectivity,
            offsets: &offsets,
            cell_types: &vec![5; body.elements.len()],
        };
        let (mut stresses, mut write) = (f64::INFINITY, f64::INFINITY);
        let mut stress = Vec::new();
        for _ in 0..repeats(10 * n) {
            stress.clear();
            time(&mut stresses, || {
                let found = (0..body.elements.len()).map(|e| stress_of(&body, e, &state.q).stress);
                stress.extend(found.flatten());
            });
            let velocity: Vec<f64> =
                state.v.chunks_exact(2).flat_map(|v| [v[0], v[1], 0.0]).collect();
            time(&mut write, || {
                let frame = VtuFrame {
                    time: 0.0,
                    units: "mm, ms, g",
                    point_data: &[Field::vector("velocity", &velocity)],
                    cell_data: &[Field::symmetric_tensor("stress", &stress)],
                };
                write_vtu(&path, &grid, &frame).expect("the temporary folder can be written");
            });
        }
        print_time(&format!("output/stress/block/{n}"), stresses);
        print_time(&format!("output/vtu/block/{n}"), write);
    }
    let _ = std::fs::remove_file(path);
}
