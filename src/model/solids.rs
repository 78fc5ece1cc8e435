//! Rigid bodies of a case: their shapes, masses and places, and which of them may touch each other.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::groups::Groups;
use crate::case::{BodyCase, BodyShapeCase, RoleCase, SolidCase, WeightCase};
use crate::contact::detect::Convex;
use crate::error::Error;
use crate::mesh::{MeshError, read_surface};
use crate::rigid::Solid;
use crate::vector::rotation::{conjugate, matrix, of_matrix, product, to_vector};
use crate::vector::{dot, times};

/// A body in space: its shape, and where it begins.
#[derive(Clone, Debug)]
pub(super) struct PlacedSolid {
    /// Its shape, in its principal axes.
    pub shape: Arc<Solid>,
    /// Its mass.
    pub mass: f64,
    /// Its moments of inertia.
    pub inertia: [f64; 3],
    /// φ where it begins.
    pub rest: [f64; 3],
    /// From the coordinates that its shape is given in to its principal axes.
    pub axes: [f64; 4],
    /// ω where it begins.
    pub spin: [f64; 3],
}

/// The solids of a case, body by body; none for those of the plane.
pub(super) fn placed(groups: &Groups) -> Result<Vec<Option<PlacedSolid>>, Error> {
    // Bodies of one pattern share their shape.
    let mut known: HashMap<(*const SolidCase, Option<[u64; 3]>), Arc<Solid>> = HashMap::new();
    let mut solids = Vec::with_capacity(groups.case.system.bodies.len());
    for body in &groups.case.system.bodies {
        let BodyShapeCase::Space(case) = &body.shape else {
            solids.push(None);
            continue;
        };
        let key = (Arc::as_ptr(case), body.center.map(|center| center.map(f64::to_bits)));
        let shape = match known.get(&key) {
            Some(shape) => Arc::clone(shape),
            None => {
                let shape = shape_of(groups, body, case)?;
                let shape = Arc::new(match body.center {
                    Some(center) => shape.about(center),
                    None => shape,
                });
                known.insert(key, Arc::clone(&shape));
                shape
            }
        };
        solids.push(Some(PlacedSolid::of(body, shape)));
    }
    Ok(solids)
}

fn shape_of(groups: &Groups, body: &BodyCase, case: &SolidCase) -> Result<Solid, Error> {
    let refuse = |field: &str, message: String| {
        Err(groups.case.error_at(&format!("body.{}.{field}", body.table), message))
    };
    let (solid, field) = match case {
        SolidCase::Box { size } => (Solid::cuboid(*size), "size"),
        SolidCase::Sphere { radius } => (Solid::ball(*radius), "radius"),
        SolidCase::Capsule { radius, length } => (Solid::capsule(*radius, *length), "radius"),
        SolidCase::Drum { radius, length, sides } => {
            (Solid::drum(*radius, *length, *sides as u32), "radius")
        }
        SolidCase::Polyhedron { vertices } => (Solid::polyhedron(vertices), "vertices"),
        SolidCase::Compound { pieces, spheres } => {
            let parts: Vec<_> = pieces.iter().map(|piece| (piece.clone(), [0.0; 3])).collect();
            (Solid::compound(&parts, spheres), "pieces")
        }
        SolidCase::File { path, group, scale } => {
            let read = read_surface(path, group.as_deref());
            let (points, triangles, _) = match read {
                Err(MeshError::Unreadable { path, source }) => {
                    let path = path.display();
                    let message = format!(
                        "cannot read the surface '{path}': {source}; the path is relative to the case file"
                    );
                    return refuse("file", message);
                }
                read => read?,
            };
            let points: Vec<[f64; 3]> = points.iter().map(|x| times(*scale, *x)).collect();
            let solid = Solid::from_surface(&points, &triangles);
            return solid.or_else(|error| refuse("file", format!("{}: {error}", path.display())));
        }
    };
    solid.or_else(|error| refuse(field, error.to_string()))
}

impl PlacedSolid {
    fn of(body: &BodyCase, shape: Arc<Solid>) -> Self {
        let mass = match body.weight {
            WeightCase::Mass(mass) => mass,
            WeightCase::Density(density) => density * shape.volume,
        };
        let homogeneous = times(mass / shape.volume, shape.moments);
        let axes = of_matrix(shape.axes);
        let turn = product(body.rotation, conjugate(axes));
        let rows = matrix(turn);
        let back = [0, 1, 2].map(|k| [rows[0][k], rows[1][k], rows[2][k]]);
        Self {
            mass,
            inertia: body.inertia.unwrap_or(homogeneous),
            rest: to_vector(turn),
            axes,
            spin: back.map(|axis| dot(axis, body.spin)),
            shape,
        }
    }
}

/// What a body of the case is for those that meet it: its convex pieces and the farthest of its points.
pub(super) fn pieces(
    groups: &Groups,
    body: &BodyCase,
    solid: Option<&PlacedSolid>,
) -> Result<(Arc<[Convex]>, f64), Error> {
    if let Some(solid) = solid {
        return Ok((solid.shape.pieces.as_slice().into(), solid.shape.reach));
    }
    let Some(plane) = body.in_plane() else { return Ok((Arc::new([]), 0.0)) };
    match plane.shape.pieces() {
        Ok(pieces) => Ok((pieces.into(), plane.shape.reach())),
        Err(error) => {
            let key = format!("body.{}.vertices", body.table);
            Err(groups.case.error_at(&key, error.to_string()))
        }
    }
}

/// The steps in which a body is there.
pub(super) fn presence(body: &BodyCase, h: f64) -> Range<usize> {
    let step = |time: f64| (time / h - 1e-9).ceil().max(0.0) as usize;
    body.born.map_or(0, step)..body.removed.map_or(usize::MAX, step)
}

/// Whether the motion of a body is prescribed.
pub(super) fn is_driven(body: &BodyCase) -> bool {
    matches!(body.role, RoleCase::Driven { .. })
}
