//! Shapes of rigid bodies: which keys each takes, in the plane and in space.

use std::sync::Arc;

use super::read::BodyReader;
use super::{BodyShapeCase, SolidCase};
use crate::case::file::Vector;
use crate::case::validate::Checked;
use crate::rigid::BodyShape;

/// Words for shapes of the plane, each with its keys; the first it cannot be without.
const IN_PLANE: [(&str, &[&str]); 4] =
    [("rod", &["length"]), ("box", &["size"]), ("polygon", &["vertices"]), ("disk", &["radius"])];
/// Words for shapes of space.
const IN_SPACE: [(&str, &[&str]); 6] = [
    ("box", &["size"]),
    ("sphere", &["radius"]),
    ("capsule", &["radius", "length"]),
    ("drum", &["radius", "length", "sides"]),
    ("polyhedron", &["vertices", "file", "group", "scale"]),
    ("compound", &["pieces", "spheres"]),
];
/// What to take where a word of the plane stands in space, or the other way round.
const INSTEAD: [(&str, &str); 8] = [
    ("rod", "capsule"),
    ("polygon", "polyhedron"),
    ("disk", "sphere"),
    ("sphere", "disk"),
    ("capsule", "rod"),
    ("drum", "disk"),
    ("polyhedron", "polygon"),
    ("compound", "polygon"),
];
/// Corners of the ends of a drum.
const SIDES: usize = 16;
/// Files of surfaces.
const ENDINGS: [&str; 3] = ["stl", "obj", "msh"];

impl BodyReader<'_> {
    pub fn shape(&self) -> Checked<BodyShapeCase> {
        let word = match (self.table.shape.as_deref(), &self.table.arch) {
            (None | Some("voussoir"), Some(arch)) => {
                self.refuse_foreign_keys("voussoir", &[])?;
                return self.voussoir(arch);
            }
            (Some(_), Some(_)) => {
                return Err(self.error("shape", "an arch is of voussoirs; leave the shape out"));
            }
            (Some("voussoir"), None) => {
                let message = "a voussoir is a brick of an arch; add arch = { bricks = 11, inner = \
                               0.8, outer = 1.0 }";
                return Err(self.error("shape", message));
            }
            (None, None) => {
                return Err(self.at("there is no shape; add shape = \"box\" or another"));
            }
            (Some(word), None) => word,
        };
        let shapes = if self.dimension == 2 { &IN_PLANE[..] } else { &IN_SPACE[..] };
        let instead = INSTEAD.iter().find(|(own, _)| *own == word);
        if let Some((_, other)) = instead.filter(|_| shapes.iter().all(|(own, _)| *own != word)) {
            let message = format!(
                "a {word} does not lie in {}, as its position does; use \"{other}\"",
                self.where_it_lies()
            );
            return Err(self.error("shape", message));
        }
        let own = self.check.choice(&self.key("shape"), Some(word), shapes)?;
        self.refuse_foreign_keys(word, own)?;
        match self.dimension {
            2 => self.plane_shape(word).map(BodyShapeCase::Plane),
            _ => self.solid(word).map(|solid| BodyShapeCase::Space(Arc::new(solid))),
        }
    }

    fn refuse_foreign_keys(&self, word: &str, own: &[&str]) -> Checked<()> {
        let table = self.table;
        let given = [
            ("length", table.length.is_some()),
            ("size", table.size.is_some()),
            ("vertices", table.vertices.is_some()),
            ("radius", table.radius.is_some()),
            ("sides", table.sides.is_some()),
            ("file", table.file.is_some()),
            ("group", table.group.is_some()),
            ("scale", table.scale.is_some()),
            ("pieces", table.pieces.is_some()),
            ("spheres", table.spheres.is_some()),
        ];
        match given.iter().find(|(field, given)| *given && !own.contains(field)) {
            Some((field, _)) => {
                Err(self.error(field, format!("a {word} has no {field}; leave it out")))
            }
            None => Ok(()),
        }
    }

    fn required<'t, T>(&self, word: &str, field: &str, given: &'t Option<T>) -> Checked<&'t T> {
        given.as_ref().ok_or_else(|| self.at(format!("a {word} needs {field}; add it")))
    }

    fn plane_shape(&self, word: &str) -> Checked<BodyShape> {
        let table = self.table;
        Ok(match word {
            "rod" => BodyShape::Rod { length: *self.required(word, "length", &table.length)? },
            "box" => BodyShape::Box { size: self.edges(word)? },
            "disk" => BodyShape::Disk { radius: *self.required(word, "radius", &table.radius)? },
            _ => {
                let given = self.required(word, "vertices", &table.vertices)?;
                let corners = self.corners("vertices", given)?;
                let flat =
                    "these corners enclose no area, or edges cross; give at least three, in order";
                BodyShape::polygon(&corners).ok_or_else(|| self.error("vertices", flat))?
            }
        })
    }

    fn solid(&self, word: &str) -> Checked<SolidCase> {
        let table = self.table;
        let radius = || self.required(word, "radius", &table.radius).copied();
        let length = || self.required(word, "length", &table.length).copied();
        Ok(match word {
            "box" => SolidCase::Box { size: self.edges(word)? },
            "sphere" => SolidCase::Sphere { radius: radius()? },
            "capsule" => SolidCase::Capsule { radius: radius()?, length: length()? },
            "drum" => SolidCase::Drum {
                radius: radius()?,
                length: length()?,
                sides: table.sides.map_or(SIDES, |sides| sides as usize),
            },
            "compound" => self.compound()?,
            _ => self.polyhedron()?,
        })
    }

    fn compound(&self) -> Checked<SolidCase> {
        let (pieces, spheres) = (&self.table.pieces, &self.table.spheres);
        if pieces.is_none() && spheres.is_none() {
            return Err(self.at("a compound needs pieces or spheres; add one of them"));
        }
        let pieces = pieces.iter().flatten().map(|piece| self.corners("pieces", piece));
        let spheres = spheres.iter().flatten().enumerate().map(|(k, ball)| match ball[..] {
            [x, y, z, radius] => Ok(([x, y, z], radius)),
            _ => {
                let (k, given) = (k + 1, ball.len());
                let message = format!("ball {k} has {given} numbers; give four: [x, y, z, radius]");
                Err(self.error("spheres", message))
            }
        });
        Ok(SolidCase::Compound {
            pieces: Arc::new(pieces.collect::<Checked<_>>()?),
            spheres: Arc::new(spheres.collect::<Checked<_>>()?),
        })
    }

    fn polyhedron(&self) -> Checked<SolidCase> {
        let table = self.table;
        match (&table.vertices, &table.file) {
            (Some(_), Some(_)) => {
                Err(self.error("file", "goes without vertices; leave one of them out"))
            }
            (None, None) => Err(self.at("a polyhedron needs vertices or a file; add one of them")),
            (Some(vertices), None) => {
                let given = [("group", table.group.is_some()), ("scale", table.scale.is_some())];
                if let Some((field, _)) = given.into_iter().find(|(_, given)| *given) {
                    return Err(self.error(field, "goes with a file only; leave it out"));
                }
                let vertices = Arc::new(self.corners("vertices", vertices)?);
                Ok(SolidCase::Polyhedron { vertices })
            }
            (None, Some(file)) => {
                let path = self.check.beside(file);
                let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
                if !ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
                    let message =
                        format!("'{file}' is no surface that can be read; give .stl, .obj or .msh");
                    return Err(self.error("file", message));
                }
                let (group, scale) = (table.group.clone(), table.scale.unwrap_or(1.0));
                Ok(SolidCase::File { path, group, scale })
            }
        }
    }

    /// The edges of a box.
    fn edges<const D: usize>(&self, word: &str) -> Checked<[f64; D]> {
        let given = self.required(word, "size", &self.table.size)?;
        <[f64; D]>::try_from(given.as_slice()).map_err(|_| {
            let edges = ["two edges, [width, height]", "three edges, [a, b, c]"][D - 2];
            let message = format!(
                "has {} numbers; a box in {} needs {edges}",
                given.len(),
                self.where_it_lies()
            );
            self.error("size", message)
        })
    }

    fn corners<const D: usize>(&self, field: &str, given: &[Vector]) -> Checked<Vec<[f64; D]>> {
        let corner = |(k, corner): (usize, &Vector)| {
            let found = <[f64; D]>::try_from(corner.as_slice()).map_err(|_| {
                let wanted = ["two: [x, y]", "three: [x, y, z]"][D - 2];
                let message = format!(
                    "corner {} has {} numbers; in {} give {wanted}",
                    k + 1,
                    corner.len(),
                    self.where_it_lies()
                );
                self.error(field, message)
            })?;
            found.iter().try_for_each(|&x| self.check.finite(&self.key(field), x).map(drop))?;
            Ok(found)
        };
        given.iter().enumerate().map(corner).collect()
    }
}
