//! Grids and layers of bodies.

use super::raw::{LayersTable, RepeatTable};
use super::read::{BodyReader, Pattern, PatternBody};
use super::turn::turned_back;
use super::{BodyCase, BodyShapeCase, SolidCase, WeightCase};
use crate::case::validate::Checked;
use crate::rigid::BodyShape;
use crate::vector::{cross, length, moved};

/// How far from an edge the direction of a layer may be, as the sine of the angle between, so that half of a box is
/// cut across it.
const ALONG_AN_EDGE: f64 = 1e-6;

impl BodyReader<'_> {
    /// A grid, the first axis fastest.
    pub(super) fn repeat<'p>(&self, table: &RepeatTable) -> Checked<Pattern<'p>> {
        let spacing = self.vector("repeat.spacing", &table.spacing)?;
        if table.count.len() != self.dimension {
            let message = format!(
                "has {} numbers, but the body lies in {}; give {}",
                table.count.len(),
                self.where_it_lies(),
                ["[nx, ny]", "[nx, ny, nz]"][self.dimension - 2]
            );
            return Err(self.error("repeat.count", message));
        }
        let mut counts = [1_u64; 3];
        for (count, &given) in counts.iter_mut().zip(&table.count) {
            *count = self.at_least_one("repeat.count", given)?;
        }
        let position = self.position;
        let [nx, ny, nz] = counts;
        let single = move |[i, j, k]: [u64; 3]| {
            let steps = [i as f64, j as f64, k as f64];
            PatternBody::at([0, 1, 2].map(|c| position[c] + steps[c] * spacing[c]))
        };
        let places =
            (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])));
        let count = counts.iter().map(|&n| u128::from(n)).product();
        Ok(Pattern { count, bodies: Box::new(places.map(single)) })
    }

    /// Layers, from the lowest, each from its first to its last body.
    pub(super) fn layers<'p>(&self, table: &LayersTable, own: &BodyCase) -> Checked<Pattern<'p>> {
        let check = |field: &str, value| self.check.positive(&self.key(field), value);
        let count = self.at_least_one("layers.count", table.count)?;
        let bricks = self.at_least_one("layers.bricks", table.bricks)?;
        let (pitch, height) =
            (check("layers.pitch", table.pitch)?, check("layers.height", table.height)?);
        let shrink = u64::from(table.shrink.unwrap_or(1));
        let half_ends = table.half_ends.unwrap_or(false);
        // With `shrink` = 0 the second layer is the smallest.
        let fewer = if shrink == 0 { (count - 1).min(1) } else { (count - 1) * shrink };
        if fewer >= bricks && !(shrink == 0 && half_ends) {
            let message = format!(
                "{count} layers, the lowest of {bricks}, leave none for the smallest, which has {fewer} less; make fewer layers, or more bodies"
            );
            return Err(self.error("layers.count", message));
        }
        let along = self.layer_direction("layers.along", table.along.as_ref(), 0)?;
        let up = self.layer_direction("layers.up", table.up.as_ref(), self.dimension - 1)?;
        if length(cross(along, up)) < ALONG_AN_EDGE {
            let message = "along and up are parallel; give another direction";
            return Err(self.error("layers", message));
        }
        let half = self.half_box(table, own, along, shrink)?;
        let layers =
            Layers { origin: self.position, count, bricks, shrink, pitch, height, along, up, half };
        Ok(Pattern { count: layers.bodies(), bodies: Box::new(layers.each()) })
    }

    fn at_least_one(&self, field: &str, count: u32) -> Checked<u64> {
        match count {
            0 => Err(self.error(field, "0 is not at least 1")),
            count => Ok(count.into()),
        }
    }

    fn layer_direction(
        &self,
        field: &str,
        given: Option<&Vec<f64>>,
        axis: usize,
    ) -> Checked<[f64; 3]> {
        match given {
            Some(given) => self.direction(field, given),
            None => Ok([0, 1, 2].map(|i| f64::from(i == axis))),
        }
    }

    /// Half a box for the ends of the shifted layers, cut so that they end where the others do.
    fn half_box(
        &self,
        table: &LayersTable,
        own: &BodyCase,
        along: [f64; 3],
        shrink: u64,
    ) -> Checked<Option<HalfBox>> {
        if !table.half_ends.unwrap_or(false) {
            return Ok(None);
        }
        let refuse = |message: &str| Err(self.error("layers.half_ends", message));
        if shrink > 0 {
            return refuse("goes with shrink = 0 only; add that, or leave it out");
        }
        if own.inertia.is_some() {
            return Err(self.error("inertia", "is not that of half a box; leave it out"));
        }
        let size = match &own.shape {
            BodyShapeCase::Plane(BodyShape::Box { size: [a, b] }) => [*a, *b, 0.0],
            BodyShapeCase::Space(solid) => match &**solid {
                SolidCase::Box { size } => *size,
                _ => return refuse("halves boxes only; leave it out"),
            },
            BodyShapeCase::Plane(_) => return refuse("halves boxes only; leave it out"),
        };
        let seen = match self.dimension {
            2 => {
                let (sine, cosine) = own.angle.sin_cos();
                let [x, y, _] = along;
                [cosine * x + sine * y, cosine * y - sine * x, 0.0]
            }
            _ => turned_back(own.rotation, along),
        };
        let is_along = |edge: &usize| {
            let across = [0, 1, 2].map(|i| if i == *edge { 0.0 } else { seen[i] });
            length(across) < ALONG_AN_EDGE
        };
        let Some(edge) = (0..3).find(is_along) else {
            return refuse("needs boxes one of whose edges lies along the layer; turn them so");
        };
        // Bodies of a layer stand `pitch` − `size` apart, and so do halves.
        let extent = size[edge] - 0.5 * table.pitch;
        if extent <= 0.0 {
            return refuse("there is no room for halves: the pitch is twice the edge or more");
        }
        let mut cut = size;
        cut[edge] = extent;
        let shape = match self.dimension {
            2 => BodyShapeCase::Plane(BodyShape::Box { size: [cut[0], cut[1]] }),
            _ => BodyShapeCase::Space(SolidCase::Box { size: cut }.into()),
        };
        let weight = match own.weight {
            WeightCase::Mass(mass) => WeightCase::Mass(mass * extent / size[edge]),
            density @ WeightCase::Density(_) => density,
        };
        Ok(Some(HalfBox { shape, weight, shift: 0.5 * (size[edge] - extent) }))
    }
}

/// What stands at the ends of a shifted layer.
#[derive(Clone)]
struct HalfBox {
    shape: BodyShapeCase,
    weight: WeightCase,
    /// How far its centre is from that of a whole one that would end where it does.
    shift: f64,
}

/// A wall or a pyramid.
struct Layers {
    /// Middle of the lowest layer.
    origin: [f64; 3],
    count: u64,
    bricks: u64,
    shrink: u64,
    pitch: f64,
    height: f64,
    along: [f64; 3],
    up: [f64; 3],
    half: Option<HalfBox>,
}

impl Layers {
    /// Whole bodies of a layer.
    fn whole(&self, layer: u64) -> u64 {
        match self.shrink {
            0 => self.bricks - layer % 2,
            shrink => self.bricks - layer * shrink,
        }
    }

    fn bodies(&self) -> u128 {
        let [count, bricks, shrink] = [self.count, self.bricks, self.shrink].map(u128::from);
        match (shrink, &self.half) {
            (0, None) => count * bricks - count / 2,
            (0, Some(_)) => count * bricks + count / 2,
            (shrink, _) => count * bricks - shrink * (count * (count - 1) / 2),
        }
    }

    fn each<'p>(self) -> impl Iterator<Item = PatternBody> + 'p {
        (0..self.count).flat_map(move |layer| self.layer(layer).into_iter())
    }

    fn layer(&self, layer: u64) -> Vec<PatternBody> {
        let n = self.whole(layer);
        let middle = moved(self.origin, layer as f64 * self.height, self.up);
        let at = |x: f64| PatternBody::at(moved(middle, x, self.along));
        let mut bodies: Vec<PatternBody> =
            (0..n).map(|i| at(self.pitch * (i as f64 - 0.5 * (n - 1) as f64))).collect();
        if let (Some(half), 1) = (&self.half, layer % 2) {
            // The ends of the layer below are those of a whole body half a pitch further than here.
            let x = 0.5 * self.pitch * (self.bricks - 1) as f64 + half.shift;
            let end = |x: f64| PatternBody {
                shape: Some(half.shape.clone()),
                weight: Some(half.weight),
                ..at(x)
            };
            bodies.insert(0, end(-x));
            bodies.push(end(x));
        }
        bodies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::bodies::tests::{bodies, close, complaint};

    const BRICK: &str = "[body.wall]\nshape = 'box'\nsize = [2.0, 1.0, 1.0]\nmass = 4.0\nposition = [0.0, 0.0, 0.5]\n";

    fn names(bodies: &[BodyCase]) -> Vec<&str> {
        bodies.iter().map(|body| body.name.as_str()).collect()
    }

    #[test]
    fn a_grid_counts_its_first_axis_fastest() {
        let text = "[body.ball]\nshape = 'disk'\nradius = 0.5\nmass = 1.0\nposition = [1.0, 2.0]\n\
                    repeat = { count = [2, 3], spacing = [1.5, -2.0] }\n";
        let found = bodies(text);
        assert_eq!(names(&found)[..3], ["ball:1", "ball:2", "ball:3"]);
        assert_eq!(found.len(), 6);
        assert!(close(found[1].position, [2.5, 2.0, 0.0]));
        assert!(close(found[5].position, [2.5, -2.0, 0.0]));
        assert!(found.iter().all(|ball| ball.table == "ball" && ball.material == "ball"));
    }

    /// A pyramid of 4 + 3 + 2, its middles one above the other.
    #[test]
    fn layers_shrink_to_a_pyramid() {
        let text =
            format!("{BRICK}layers = {{ count = 3, bricks = 4, pitch = 2.1, height = 1.0 }}");
        let found = bodies(&text);
        assert_eq!(found.len(), 9);
        let exact = [(0, [-3.15, 0.5]), (3, [3.15, 0.5]), (4, [-2.1, 1.5]), (8, [1.05, 2.5])];
        for (at, [x, z]) in exact {
            assert!(close(found[at].position, [x, 0.0, z]), "{:?}", found[at].position);
        }
        assert_eq!(found[0].shape, found[8].shape);
    }

    #[test]
    fn a_wall_has_every_other_layer_shifted_and_halves_at_its_ends_where_asked() {
        let wall = |ends: bool| {
            format!(
                "{BRICK}turn = {{ axis = [0, 0, 1], angle = 1.5707963267948966 }}\n\
                 layers = {{ count = 3, bricks = 3, shrink = 0, pitch = 2.1, height = 1.0, along = [0, 7, 0], half_ends = {ends} }}"
            )
        };
        let plain = bodies(&wall(false));
        assert_eq!(plain.len(), 3 + 2 + 3);
        assert!(close(plain[3].position, [0.0, -1.05, 1.5]));
        let whole = bodies(&wall(true));
        assert_eq!(whole.len(), 3 + 4 + 3);
        // 3 bricks of 2 and 2 joints of 0.1 are 6.2 long, and so are 2 with 2 halves and 3 joints.
        let half = |at: usize| match &whole[at].shape {
            BodyShapeCase::Space(solid) => (**solid).clone(),
            BodyShapeCase::Plane(_) => panic!("in space"),
        };
        let SolidCase::Box { size } = half(3) else { panic!("a box") };
        assert!((size[0] - 0.95).abs() < 1e-15 && size[1..] == [1.0, 1.0]);
        assert_eq!(half(3), half(6));
        assert!(close(whole[3].position, [0.0, -3.1 + 0.475, 1.5]), "{:?}", whole[3].position);
        assert!(close(whole[6].position, [0.0, 3.1 - 0.475, 1.5]));
        assert!(matches!(whole[3].weight, WeightCase::Mass(m) if (m - 1.9).abs() < 1e-14));
        assert_eq!(whole[4].weight, WeightCase::Mass(4.0));
    }

    #[test]
    fn a_wall_of_the_plane_is_cut_at_its_ends_as_well() {
        let text = "[body.wall]\nshape = 'box'\nsize = [1.0, 2.0]\ndensity = 1.0\nposition = [0.0, 0.0]\n\
                    angle = 1.5707963267948966\n\
                    layers = { count = 2, bricks = 1, shrink = 0, pitch = 2.0, height = 1.0, half_ends = true }";
        let found = bodies(text);
        let plane: Vec<f64> = found.iter().map(|body| body.in_plane().unwrap().mass).collect();
        assert_eq!(plane, [2.0, 1.0, 1.0]);
        assert!(close(found[1].position, [-0.5, 1.0, 0.0]));
    }

    #[test]
    fn layers_that_come_to_nothing_or_to_too_many_are_refused() {
        let said = |layers: &str| {
            complaint(&format!("{BRICK}layers = {{ {layers}, pitch = 2.1, height = 1.0 }}"))
        };
        assert!(
            said("count = 5, bricks = 4").contains("leave none for the smallest, which has 4 less")
        );
        assert!(said("count = 2, bricks = 1, shrink = 0").contains("leave none for the smallest"));
        assert!(said("count = 1, bricks = 0").contains("layers.bricks: 0 is not at least 1"));
        let huge = "count = 4294967295, bricks = 4294967295, shrink = 0";
        assert!(said(huge).contains("makes more than 1000000 bodies in all"), "{}", said(huge));
        assert!(
            said("count = 2, bricks = 2, half_ends = true").contains("goes with shrink = 0 only")
        );
        let across = "count = 2, bricks = 2, shrink = 0, half_ends = true, along = [1, 1, 0]";
        assert!(said(across).contains("one of whose edges lies along the layer"));
        assert!(
            said("count = 2, bricks = 2, along = [0, 0, 1]").contains("along and up are parallel")
        );
    }
}
