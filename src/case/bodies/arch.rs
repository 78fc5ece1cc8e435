//! Arches of voussoirs.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

use super::raw::ArchTable;
use super::read::{BodyReader, Pattern, PatternBody};
use super::turn::{about, after, turned};
use super::{BodyCase, BodyShapeCase, SolidCase};
use crate::case::validate::Checked;
use crate::rigid::BodyShape;
use crate::vector::plus;

/// What an arch comes to: voussoirs that are all the same, the keystone upright.
struct Voussoir {
    /// Corners about the centre of mass, the outside upwards.
    corners: Vec<[f64; 2]>,
    /// From the centre of the arch to that of a voussoir.
    radius: f64,
    /// Angle of the first.
    from: f64,
    /// Angle of one.
    share: f64,
}

impl BodyReader<'_> {
    /// The shape that all bricks of an arch have.
    pub(super) fn voussoir(&self, table: &ArchTable) -> Checked<BodyShapeCase> {
        let corners = self.checked_arch(table)?.corners;
        Ok(match (self.dimension, table.depth) {
            (2, None) => BodyShapeCase::Plane(BodyShape::Polygon { vertices: corners }),
            (2, Some(_)) => {
                return Err(self.error("arch.depth", "is of space; in the plane leave it out"));
            }
            (_, None) => {
                return Err(self.error("arch", "an arch in space needs a depth; add it"));
            }
            (_, Some(depth)) => {
                let half = 0.5 * self.check.positive(&self.key("arch.depth"), depth)?;
                let ends = [-half, half].into_iter();
                let vertices = ends.flat_map(|y| corners.iter().map(move |[x, z]| [*x, y, *z]));
                let vertices = Arc::new(vertices.collect());
                BodyShapeCase::Space(SolidCase::Polyhedron { vertices }.into())
            }
        })
    }

    /// The bricks of an arch, from where it springs; angle and rotation of the table turn it as a whole.
    pub(super) fn arch<'p>(&self, table: &ArchTable, own: &BodyCase) -> Checked<Pattern<'p>> {
        let Voussoir { radius, from, share, .. } = self.checked_arch(table)?;
        let (angle, rotation) = (own.angle, own.rotation);
        let (center, in_plane) = (self.position, self.dimension == 2);
        let single = move |k: u32| {
            let way = from + (f64::from(k) + 0.5) * share;
            if in_plane {
                let (sine, cosine) = (way + angle).sin_cos();
                let position = plus(center, [radius * cosine, radius * sine, 0.0]);
                let angle = Some(way + angle - FRAC_PI_2);
                return PatternBody { angle, ..PatternBody::at(position) };
            }
            let (sine, cosine) = way.sin_cos();
            let arm = turned(rotation, [radius * cosine, 0.0, radius * sine]);
            // About y, which takes z to x.
            let own = about([0.0, 1.0, 0.0], FRAC_PI_2 - way);
            let rotation = Some(after(rotation, own));
            PatternBody { rotation, ..PatternBody::at(plus(center, arm)) }
        };
        Ok(Pattern { count: table.bricks.into(), bodies: Box::new((0..table.bricks).map(single)) })
    }

    fn checked_arch(&self, table: &ArchTable) -> Checked<Voussoir> {
        let key = |field: &str| self.key(&format!("arch.{field}"));
        let inner = self.check.positive(&key("inner"), table.inner)?;
        let wider = format!("more than the inner radius {inner:?}");
        let outer = self.check.number(&key("outer"), table.outer, table.outer > inner, &wider)?;
        let from = self.check.finite(&key("from"), table.from.unwrap_or(0.0))?;
        let to = table.to.unwrap_or(PI);
        let later = format!("more than where the arch springs, {from:?}");
        let to = self.check.number(&key("to"), to, to > from, &later)?;
        // A ring closes but for rounding.
        let round = "at most a turn of 2π further than where it springs";
        self.check.number(&key("to"), to, to - from <= TAU + 1e-9, round)?;
        if table.bricks == 0 {
            return Err(self.error("arch.bricks", "0 is not at least 1"));
        }
        let share = (to - from) / f64::from(table.bricks);
        if share >= PI - 1e-9 {
            let message =
                format!("{} is too few: each would span {share:.4} rad; give more", table.bricks);
            return Err(self.error("arch.bricks", message));
        }
        let (sine, cosine) = (0.5 * share).sin_cos();
        let corner = |radius: f64, side: f64| [side * radius * sine, radius * cosine];
        let seen = [(inner, 1.0), (outer, 1.0), (outer, -1.0), (inner, -1.0)];
        let seen = seen.map(|(radius, side)| corner(radius, side));
        let mean = |corners: &[[f64; 2]]| corners.iter().map(|c| c[1]).sum::<f64>() / 4.0;
        match BodyShape::polygon(&seen) {
            Some(BodyShape::Polygon { vertices }) => {
                let radius = mean(&seen) - mean(&vertices);
                Ok(Voussoir { corners: vertices, radius, from, share })
            }
            _ => Err(self.error("arch", "its bricks have no area; give fewer, or thicker ones")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::bodies::BodyCase;
    use crate::case::bodies::tests::{bodies, close, complaint};

    const ARCH: &str = "[body.arch]\ndensity = 2.0\n";

    /// Area of a quadrilateral of 2δ between two radii: ½ (R² − r²) sin 2δ.
    fn area(bricks: usize) -> f64 {
        0.5 * (1.0 - 0.64) * (PI / bricks as f64).sin()
    }

    fn corners(body: &BodyCase) -> Vec<[f64; 3]> {
        let solid = match &body.shape {
            BodyShapeCase::Space(solid) => (**solid).clone(),
            BodyShapeCase::Plane(_) => panic!("in space"),
        };
        let SolidCase::Polyhedron { vertices } = solid else { panic!("a polyhedron") };
        vertices.iter().map(|&x| plus(body.position, turned(body.rotation, x))).collect()
    }

    #[test]
    fn voussoirs_of_the_plane_close_on_each_other_and_have_their_mass() {
        let text = format!(
            "{ARCH}position = [3.0, 1.0]\narch = {{ bricks = 5, inner = 0.8, outer = 1.0 }}\n"
        );
        let found = bodies(&text);
        assert_eq!(found.len(), 5);
        let corners = |body: &BodyCase| -> Vec<[f64; 3]> {
            let (sine, cosine) = body.angle.sin_cos();
            let shape = body.in_plane().unwrap().shape.vertices();
            let turned = |[x, y]: [f64; 2]| [cosine * x - sine * y, sine * x + cosine * y, 0.0];
            shape.into_iter().map(|x| plus(body.position, turned(x))).collect()
        };
        let has = |body: &BodyCase, x| corners(body).into_iter().any(|corner| close(corner, x));
        assert!(has(&found[0], [4.0, 1.0, 0.0]) && has(&found[0], [3.8, 1.0, 0.0]));
        assert!(has(&found[4], [2.0, 1.0, 0.0]));
        for pair in found.windows(2) {
            let shared = corners(&pair[0]).into_iter().filter(|&x| has(&pair[1], x)).count();
            assert_eq!(shared, 2);
        }
        assert!((found[2].angle).abs() < 1e-15, "the keystone is upright");
        for brick in &found {
            assert!((brick.in_plane().unwrap().mass - 2.0 * area(5)).abs() < 1e-15);
        }
    }

    #[test]
    fn an_arch_in_space_stands_in_x_and_z_and_turns_as_one() {
        let text = format!(
            "{ARCH}position = [0, 0, 1]\narch = {{ bricks = 7, inner = 0.8, outer = 1.0, depth = 0.4 }}\n"
        );
        for (turn, foot) in [
            ("", [1.0, 0.2, 1.0]),
            ("turn = { axis = [0, 0, 1], angle = 1.5707963267948966 }\n", [-0.2, 1.0, 1.0]),
        ] {
            let found = bodies(&format!("{text}{turn}"));
            let has = |body: &BodyCase, x| corners(body).into_iter().any(|corner| close(corner, x));
            assert!(has(&found[0], foot), "{:?}", corners(&found[0]));
            for pair in found.windows(2) {
                let shared = corners(&pair[0]).into_iter().filter(|&x| has(&pair[1], x)).count();
                assert_eq!(shared, 4);
            }
            let mean = corners(&found[3]).iter().map(|x| x[2]).sum::<f64>() / 8.0;
            assert!(found.iter().all(|brick| corners(brick).len() == 8) && mean > 1.8);
        }
    }

    #[test]
    fn arches_that_cannot_be_are_refused() {
        let said = |arch: &str, position: &str| {
            complaint(&format!("{ARCH}position = {position}\narch = {{ {arch} }}\n"))
        };
        let thin = said("bricks = 5, inner = 1.0, outer = 0.8", "[0, 0]");
        assert!(thin.contains("arch.outer: 0.8 is not more than the inner radius 1.0"), "{thin}");
        let wide = said("bricks = 2, inner = 1.0, outer = 2.0, to = 6.283185307179586", "[0, 0]");
        assert!(wide.contains("arch.bricks: 2 is too few"), "{wide}");
        let round = said("bricks = 9, inner = 1.0, outer = 2.0, to = 7.0", "[0, 0]");
        assert!(round.contains("arch.to: 7.0 is not at most a turn"), "{round}");
        assert!(
            said("bricks = 5, inner = 1.0, outer = 2.0", "[0, 0, 0]").contains("needs a depth")
        );
        let depth = said("bricks = 5, inner = 1.0, outer = 2.0, depth = 1.0", "[0, 0]");
        assert!(depth.contains("arch.depth: is of space; in the plane leave it out"), "{depth}");
    }
}
