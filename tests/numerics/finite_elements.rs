//! The finite elements against closed forms, every kind of them: patch test, rigid motions, energy and
//! mass of linear fields, materials in series, mixed meshes, loads on facets, locking, and the order
//! of convergence in space.

#![allow(clippy::print_stdout)]

use delassus::assembly::{Body, MassKind, NotOuter, assemble, facet_load, stress_of};
use delassus::linalg::dot;
use delassus::material::{Material, Section};
use delassus::mesh::{ElementKind, Mesh};

use crate::elements::bodies::*;
use crate::elements::patch::{SIZE, patch, patch_errors};
use crate::support;

fn volume_of(section: Section) -> f64 {
    SIZE[..dimension_of(section)].iter().product::<f64>() * section.depth()
}

/// A linear field is in the space of the elements, so only rounding is left: 1e-16 of the
/// displacements times the condition of K, about the square of nine cells, and ten times that for the
/// stresses, which divide by the size of a cell.
fn assert_linear_field_fills(body: &Body, what: &str) {
    let [displacement, stress, von_mises] = patch_errors(body);
    assert!(displacement < 1e-13, "{what}: displacements are off by {displacement:e}");
    assert!(stress < 1e-12, "{what}: stress is off by {stress:e}");
    assert!(von_mises < 1e-12, "{what}: von Mises is off by {von_mises:e}");
}

/// Irons's patch test.
#[test]
fn linear_field_on_the_boundary_of_an_irregular_mesh_fills_its_inside() {
    for (kind, section) in ALL {
        let mesh = patch(kind);
        assert_linear_field_fills(
            &body(&mesh, material(section)),
            &format!("{kind:?} {section:?}"),
        );
    }
}

/// Curved sides inside: ∇N_a det J has degree 2 on a six-node triangle, which its rule integrates.
#[test]
fn six_node_triangles_pass_the_patch_test_with_curved_sides() {
    let mut mesh = patch(ElementKind::Triangle6);
    let (fixed, mut random) = (boundary(&mesh), support::random::Random::new(6));
    let first = mesh.body_elements().next().expect("a mesh has elements");
    for e in first..mesh.element_count() {
        for middle in 3..6 {
            let node = mesh.nodes_of(e)[middle];
            if fixed.binary_search(&node).is_err() {
                let shift = [0, 1].map(|_| 0.01 * random.signed());
                (0..2).for_each(|i| mesh.points[node as usize][i] += shift[i]);
            }
        }
    }
    assert_linear_field_fills(&body(&mesh, material(PLANE_STRESS)), "curved");
}

/// Every third quadrangle cut into two triangles.
fn mixed(cells: [usize; 3]) -> Mesh {
    let whole = irregular(ElementKind::Quadrangle4, SIZE, cells);
    let mut mesh = Mesh { kinds: vec![], offsets: vec![0], connectivity: vec![], ..whole.clone() };
    let mut add = |kind: ElementKind, nodes: &[u32]| {
        mesh.kinds.push(kind);
        mesh.connectivity.extend(nodes);
        mesh.offsets.push(mesh.connectivity.len() as u32);
    };
    for e in 0..whole.element_count() {
        let nodes = whole.nodes_of(e);
        match whole.kinds[e] {
            ElementKind::Quadrangle4 if e % 3 == 0 => {
                let [a, b, c, d] = [nodes[0], nodes[1], nodes[2], nodes[3]];
                add(ElementKind::Triangle3, &[a, b, c]);
                add(ElementKind::Triangle3, &[a, c, d]);
            }
            kind => add(kind, nodes),
        }
    }
    mesh.element_tags = (1..=mesh.kinds.len() as u64).collect();
    mesh
}

#[test]
fn triangles_and_quadrangles_in_one_mesh_pass_the_patch_test() {
    let mesh = mixed([9, 7, 1]);
    let body = body(&mesh, material(PLANE_STRAIN));
    let triangles = (0..body.elements.len()).filter(|&e| body.kind(e) == ElementKind::Triangle3);
    assert_eq!(triangles.count(), 42);
    assert_linear_field_fills(&body, "mixed");
}

/// Internal forces of a linear field are the consistent loads ∫ N_a σn dA of its tractions on the
/// outside: K, the facets' directions and their loads agree for every element. Rounding of sums of
/// about ten forces.
#[test]
fn tractions_on_the_facets_balance_a_linear_field() {
    for (kind, section) in ALL.into_iter().filter(|(kind, _)| *kind != ElementKind::Line2) {
        let mesh = patch(kind);
        let material = material(section);
        let body = body(&mesh, material.clone());
        let (operator, _) = assemble(&body, MassKind::Lumped);
        let [_, mut force] = products(&operator, &at_nodes(&mesh, linear));
        let scale = largest(force.iter().copied());
        let s = stress(&material, gradient_of(section));
        let traction = |n: [f64; 3]| std::array::from_fn(|i| (0..3).map(|j| s[i][j] * n[j]).sum());
        for (_, side) in mesh.groups.iter().filter(|(name, _)| *name != "body") {
            let facets = body.facets_of(&side.elements).expect("sides are outside");
            for (dof, f) in facet_load(&mesh, &facets, traction) {
                force[dof as usize] -= f;
            }
        }
        let off = largest(force) / scale;
        assert!(off < 1e-13, "{kind:?} {section:?}: {off:e} of the forces are left");
    }
}

#[test]
fn what_bounds_no_element_or_two_is_no_facet() {
    let mut mesh = Mesh::block([0.0; 3], [1.0; 3], [2, 1, 1], ElementKind::Hexahedron8);
    let inner = mesh.kinds.len() as u32;
    let nodes: Vec<u32> =
        (0u32..).zip(&mesh.points).filter(|(_, x)| x[0] == 0.5).map(|(n, _)| n).collect();
    // Around the middle face: lower left, lower right, upper right, upper left.
    for corners in [[0, 1, 3, 2].map(|i| nodes[i]), [0, 1, 2, 3]] {
        mesh.kinds.push(ElementKind::Quadrangle4);
        mesh.connectivity.extend(corners);
        mesh.offsets.push(mesh.connectivity.len() as u32);
        mesh.element_tags.push(0);
    }
    let body = body(&mesh, material(Section::Solid));
    assert_eq!(body.facets_of(&[inner]), Err(NotOuter { element: inner, bounds: 2 }));
    assert_eq!(body.facets_of(&[0, inner + 1]), Err(NotOuter { element: inner + 1, bounds: 0 }));
    assert_eq!(body.facets_of(&[0]).map(|facets| facets.len()), Ok(1));
}

/// Forces are small against those of a stretch of the same size; translations, applied to
/// differences, make none at all.
#[test]
fn rigid_motions_of_the_assembled_body_make_no_force() {
    for (kind, section) in ALL {
        let (mesh, d) = (patch(kind), kind.dimension());
        let (operator, _) = assemble(&body(&mesh, material(section)), MassKind::Consistent);
        let force_of = |field: &dyn Fn([f64; 3]) -> [f64; 3]| {
            let [_, kq] = products(&operator, &at_nodes(&mesh, field));
            largest(kq)
        };
        let stretch = force_of(&|[x, y, z]| [x, -y, z]);
        assert!(stretch > 1.0, "a stretch makes a force, not {stretch}");
        for i in 0..d {
            let along = std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 });
            assert_eq!(force_of(&|_| along), 0.0);
            for j in 0..i {
                let turn = |x: [f64; 3]| {
                    let mut u = [0.0; 3];
                    (u[i], u[j]) = (-x[j], x[i]);
                    u
                };
                let rotation = force_of(&turn) / stretch;
                assert!(rotation < 1e-13, "{kind:?}: a rotation makes {rotation:e} of a stretch");
            }
        }
    }
}

/// ½ σ:ε times the volume; rounding of a sum over a hundred nodes.
#[test]
fn strain_energy_of_a_linear_field_is_exact() {
    for (kind, section) in ALL {
        let (mesh, material) = (patch(kind), material(section));
        let (operator, _) = assemble(&body(&mesh, material.clone()), MassKind::Consistent);
        let q = at_nodes(&mesh, linear);
        let [_, kq] = products(&operator, &q);
        let g = gradient_of(section);
        let s = stress(&material, g);
        let density: f64 = (0..9).map(|n| 0.5 * s[n / 3][n % 3] * g[n / 3][n % 3]).sum();
        let off = 0.5 * dot(&q, &kq) / (density * volume_of(section)) - 1.0;
        assert!(off.abs() < 1e-13, "{kind:?} {section:?}: energy is off by {off:e}");
    }
}

/// ρV, and ½ρ|v|²V as the kinetic energy of a translation; rounding of a sum over the entries. Lumped
/// masses are positive at every node, and the centre of mass is that of the body.
#[test]
fn both_masses_are_those_of_the_body() {
    for (kind, section) in ALL {
        let (mesh, d) = (patch(kind), kind.dimension());
        let exact = 7.8 * volume_of(section);
        for mass in [MassKind::Consistent, MassKind::Lumped] {
            let (operator, _) = assemble(&body(&mesh, material(section)), mass);
            let off = operator.total_mass() / exact - 1.0;
            assert!(off.abs() < 1e-13, "{kind:?} {mass:?}: mass is off by {off:e}");
            let v = at_nodes(&mesh, |_| [1.0; 3]);
            let [mv, _] = products(&operator, &v);
            let off = dot(&v, &mv) / (d as f64 * exact) - 1.0;
            assert!(off.abs() < 1e-13, "{kind:?} {mass:?}: kinetic energy is off by {off:e}");
            let moment = dot(&at_nodes(&mesh, |x| x), &mv);
            let off = moment / (0.5 * SIZE[..d].iter().sum::<f64>() * exact) - 1.0;
            assert!(off.abs() < 1e-13, "{kind:?} {mass:?}: centre of mass is off by {off:e}");
            let smallest = mv.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(smallest > 0.0 || mass == MassKind::Consistent, "{kind:?}: mass {smallest}");
        }
    }
}

/// Element matrices are added in the order of the mesh, over more than one batch.
#[test]
fn assembly_has_the_same_bits_for_any_number_of_threads() {
    let mesh = irregular(ElementKind::Tetrahedron4, SIZE, [10; 3]);
    let q = at_nodes(&mesh, |[x, y, z]| [x * y, y.sin(), z * x]);
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let body = body(&mesh, material(Section::Solid));
        let assembled = pool.expect("threads").install(|| assemble(&body, MassKind::Consistent));
        products(&assembled.0, &q)
    };
    assert!(with_threads(1) == with_threads(3), "threads change the sums");
}

/// Two bars of other stiffness, density and thickness end to end, ν = 0, pulled by δ: the force per
/// width N = δ/(l₁/E₁t₁ + l₂/E₂t₂) goes through both, so the stress jumps from N/t₁ to N/t₂.
#[test]
fn two_materials_in_series_share_the_force_and_not_the_stress() {
    let (lengths, height, pull) = ([1.0, 3.0], 1.0, 0.02);
    let mesh = Mesh::rectangle([4.0, height], [12, 4]);
    let of = |young: f64, density: f64, thickness: f64| Material {
        young,
        density,
        poisson: 0.0,
        ..material(Section::PlaneStress { thickness })
    };
    let materials = vec![of(210.0, 7.8, 1.5), of(70.0, 2.7, 0.5)];
    let mut body = body(&mesh, materials[0].clone());
    for e in 0..body.elements.len() {
        let x: f64 = body.nodes_of(e).iter().map(|&n| mesh.points[n as usize][0] / 3.0).sum();
        body.material_of[e] = u16::from(x > lengths[0]);
    }
    body.materials = materials;
    let [first, second] = [&body.materials[0], &body.materials[1]];
    let (operator, _) = assemble(&body, MassKind::Consistent);
    let mass_of = |m: &Material, length: f64| m.density * m.section.depth() * length * height;
    let mass = mass_of(first, lengths[0]) + mass_of(second, lengths[1]);
    let off = operator.total_mass() / mass - 1.0;
    assert!(off.abs() < 1e-13, "mass is off by {off:e}");

    let x_dofs = |side: &str| mesh.groups[side].nodes.iter().map(|n| 2 * n).collect::<Vec<u32>>();
    let mut held = [x_dofs("left"), x_dofs("right"), vec![1]].concat();
    held.sort_unstable();
    let given = at_nodes(&mesh, |[x, _, _]| [if x > 2.0 { pull } else { 0.0 }, 0.0, 0.0]);
    let q = solve_held(&operator, &held, &given, &vec![0.0; given.len()]);
    let soft = |m: &Material, length: f64| length / (m.young * m.section.depth());
    let force = pull / (soft(first, lengths[0]) + soft(second, lengths[1]));
    for e in 0..body.elements.len() {
        let expected = force / body.material(e).section.depth();
        let found = stress_of(&body, e, &q).stress;
        // Rounding of q over the size of a cell, as in the patch test.
        let off = largest([found[0] - expected, found[1], found[3]]) / expected;
        assert!(off < 1e-12, "element {e}: stress {found:?} is not {expected}, off by {off:e}");
    }
}

/// A block, ν = 0, whose right side goes on in bars, one per node, each with the area that the node
/// stands for: the whole stretches like one rod, and bars and block carry the same stress. Rounding
/// as in the patch test.
#[test]
fn bars_attached_to_a_block_carry_its_stress_on() {
    let mut mesh = Mesh::block([0.0; 3], [2.0, 1.0, 1.0], [4, 2, 2], ElementKind::Hexahedron8);
    let ends = mesh.groups["right"].nodes.clone();
    let mut body_elements: Vec<u32> = mesh.body_elements().map(|e| e as u32).collect();
    let mut material_of = vec![0; body_elements.len()];
    for &node in &ends {
        let far = mesh.points.len() as u32;
        let [_, y, z] = mesh.points[node as usize];
        mesh.points.push([3.0, y, z]);
        body_elements.push(mesh.kinds.len() as u32);
        mesh.kinds.push(ElementKind::Line2);
        mesh.connectivity.extend([node, far]);
        mesh.offsets.push(mesh.connectivity.len() as u32);
        let inner = [y, z].iter().filter(|&&x| x == 0.5).count();
        material_of.push(1 + inner as u16);
    }
    let bar = |area: f64| Material { poisson: 0.0, ..material(Section::Bar { area }) };
    let solid = Material { poisson: 0.0, ..material(Section::Solid) };
    let materials = vec![solid, bar(1.0 / 16.0), bar(1.0 / 8.0), bar(1.0 / 4.0)];
    let body = Body { mesh: &mesh, elements: body_elements, material_of, materials };
    let (operator, _) = assemble(&body, MassKind::Consistent);
    let off = operator.total_mass() / (7.8 * 3.0) - 1.0;
    assert!(off.abs() < 1e-14, "mass is off by {off:e}");

    let exact = at_nodes(&mesh, |[x, _, _]| [1e-3 * x, 0.0, 0.0]);
    let far: Vec<u32> =
        (0u32..).zip(&mesh.points).filter(|(_, x)| x[0] == 3.0).map(|(n, _)| n).collect();
    let mut held = dofs_of(&mesh, &[mesh.groups["left"].nodes.clone(), far].concat());
    held.sort_unstable();
    let q = solve_held(&operator, &held, &exact, &vec![0.0; exact.len()]);
    let off = largest(q.iter().zip(&exact).map(|(q, u)| q - u)) / 3e-3;
    assert!(off < 1e-13, "displacements are off by {off:e}");
    for e in 0..body.elements.len() {
        let found = stress_of(&body, e, &q).stress;
        let off = largest([found[0] - 0.21, found[1], found[2], found[3], found[4], found[5]]);
        assert!(off < 1e-12 * 0.21, "element {e}: stress {found:?}");
    }
}

/// A tripod of three bars of length L, inclined by the angle β to its axis, under a force F along the
/// axis: each bar carries F/(3 cos β), and the top moves by F L/(3 E A cos²β). Rounding of a solve with
/// three unknowns.
#[test]
fn a_tripod_of_bars_carries_its_load_along_the_bars() {
    let mut mesh = Mesh { dimension: 3, offsets: vec![0], ..Mesh::default() };
    mesh.points.push([0.0, 0.0, 2.0]);
    for foot in 0..3u32 {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(foot) / 3.0).sin_cos();
        mesh.points.push([1.5 * cos, 1.5 * sin, 0.0]);
        mesh.kinds.push(ElementKind::Line2);
        mesh.connectivity.extend([0, foot + 1]);
        mesh.offsets.push(mesh.connectivity.len() as u32);
    }
    let body = body(&mesh, material(BAR));
    let (operator, _) = assemble(&body, MassKind::Consistent);
    let mut force = vec![0.0; 12];
    force[2] = -3.0;
    let q = solve_held(&operator, &(3..12).collect::<Vec<_>>(), &[0.0; 12], &force);
    let (length, cos) = (2.5, 2.0 / 2.5);
    let sink = 3.0 * length / (3.0 * 210.0 * THICKNESS * cos * cos);
    assert!(largest([q[0], q[1], q[2] + sink]) < 1e-15, "{:?} is not {sink}", &q[..3]);
    for e in 0..3 {
        let found = stress_of(&body, e, &q);
        let axial = -1.0 / cos / THICKNESS;
        let [top, foot] = [0, e + 1].map(|n| mesh.points[n]);
        let n: [f64; 3] = std::array::from_fn(|i| (foot[i] - top[i]) / length);
        let [x, y, z] = n;
        let expected = [x * x, y * y, z * z, x * y, y * z, x * z].map(|nn| axial * nn);
        assert!(largest((0..6).map(|i| found.stress[i] - expected[i])) < 1e-14, "{found:?}");
        assert!((found.von_mises + axial).abs() < 1e-14, "{found:?}");
    }
}
