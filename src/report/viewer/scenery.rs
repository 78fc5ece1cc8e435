//! Obstacles as data of the page: their surfaces in the first frame, and how each of them has moved in the others.
//!
//! What the frames show of an obstacle is rigid, so that three of its points, two of a line in the plane, tell where
//! all of them are:
//!
//! ```text
//!     x_k = R_k x_0 + t_k                                                                       (1)
//! ```
//!
//! One that is a single piece is endless and flat: where it is drawn follows the bodies, so that of (1) only its normal
//! and its height are taken, and how far it has slid along itself comes from its velocity.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::block::{Block, BlockArray};
use super::surface::DrawnSurface;
use crate::error::Error;
use crate::results::{FrameData, Frames};
use crate::vector::{cross, dot, length, minus, moved};

type Vector = [f64; 3];

/// What is not moved rigidly to this share of its size is damaged.
const RIGID: f64 = 1e-6;

/// All obstacles of a run, as its frames show them.
pub(super) struct Scenery {
    frames: Frames,
    first: FrameData,
    obstacles: Vec<Shown>,
    /// What is seen of those that are not endless and flat.
    surface: DrawnSurface,
    points: Vec<Vector>,
    /// Obstacle of each of these points.
    owners: Vec<u32>,
}

/// One obstacle in the first frame.
struct Shown {
    /// Its points in the frames.
    points: Vec<u32>,
    /// Three of them that span it, or two of a line.
    guides: Vec<u32>,
    /// Towards the bodies, where it is endless and flat.
    normal: Option<Vector>,
}

/// What the script of the page reads of them.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SceneryHeader {
    count: usize,
    points: BlockArray,
    owners: BlockArray,
    triangles: BlockArray,
    edges: BlockArray,
    outline: BlockArray,
    lines: BlockArray,
    /// Of each obstacle at each frame: R by rows, then t.
    motions: BlockArray,
    flat: Vec<FlatHeader>,
}

/// An obstacle that is endless and flat.
#[derive(Clone, Debug, Serialize)]
struct FlatHeader {
    owner: usize,
    /// A point of it in the first frame.
    point: Vector,
    /// Out of it, towards the bodies, in the first frame.
    normal: Vector,
    /// How far it has slid along itself, three numbers per frame.
    slides: BlockArray,
}

impl Scenery {
    /// Of the frames in `obstacles.pvd`.
    ///
    /// # Errors
    /// Frames that cannot be read, or that no run wrote.
    pub(super) fn read(frames: Frames) -> Result<Self, Error> {
        let first = frames.load(0)?;
        let complain = |message: String| frames.complaint(0, message);
        let mut cells: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        let sets = first.cell("contact_set").map_or(&[][..], |array| &array.values);
        for c in 0..first.cell_types.len() {
            let set = sets.get(c).copied().unwrap_or(0.0) as i64;
            cells.entry(set).or_default().push(c);
        }
        let obstacles: Option<Vec<Shown>> =
            cells.values().map(|cells| Shown::new(&first, cells)).collect();
        let obstacles = obstacles
            .ok_or_else(|| complain("an obstacle has no extent; run the case again".into()))?;
        let solid = obstacles.iter().zip(cells.values()).enumerate();
        let solid = solid.filter(|(_, (shown, _))| shown.normal.is_none());
        let solid: Vec<(usize, &[usize])> = solid.map(|(o, (_, c))| (o, c.as_slice())).collect();
        let (grid, owners) = merged(&first, &solid);
        let surface = DrawnSurface::of(&grid).map_err(complain)?;
        let drawn = |point: &u32| (grid.points[*point as usize], owners[*point as usize]);
        let (points, owners) = surface.points.iter().map(drawn).unzip();
        Ok(Self { frames, first, obstacles, surface, points, owners })
    }

    /// How many obstacles there are.
    pub(super) fn count(&self) -> usize {
        self.obstacles.len()
    }

    /// Bytes of text that they take with so many frames.
    pub(super) fn text(&self, frames: usize) -> usize {
        let surface = &self.surface;
        let size = if self.points.len() > 1 << 16 { 4 } else { 2 };
        let pairs = surface.edges.len() + surface.outline.len() + surface.lines.len();
        let numbers = 3 * surface.triangles.len() + 2 * pairs + self.points.len();
        let moved = 15 * 4 * self.obstacles.len() * frames;
        (12 * self.points.len() + size * numbers + moved).div_ceil(3) * 4
    }

    /// Header and bytes, at the frames of these numbers and times.
    ///
    /// # Errors
    /// Frames that cannot be read, or that do not fit each other.
    pub(super) fn pack(
        &self,
        kept: &[usize],
        times: &[f64],
        block: &mut Block,
    ) -> Result<SceneryHeader, Error> {
        let mut motions = vec![Vec::new(); self.count()];
        let mut slides: Vec<Vec<Vector>> = vec![Vec::new(); self.count()];
        let mut before: Vec<Vector> = Vec::new();
        for (n, &k) in kept.iter().enumerate() {
            let frame = self.frames.load(k)?;
            let complain = |message: &str| self.frames.complaint(k, message.into());
            if frame.points.len() != self.first.points.len() || frame.time != times[n] {
                return Err(complain(
                    "it is not of the same run as fields.pvd; run the case again",
                ));
            }
            let mut speeds = Vec::new();
            for (o, shown) in self.obstacles.iter().enumerate() {
                let motion = shown.motion(&self.first.points, &frame.points);
                let (r, t) = motion.ok_or_else(|| {
                    complain(
                        "an obstacle in it is not the one of the first frame; run the case again",
                    )
                })?;
                motions[o].extend(r.as_flattened().iter().chain(&t));
                let speed = shown.sliding(&frame, &r);
                let slid = match (slides[o].last(), before.get(o)) {
                    (Some(slid), Some(before)) => {
                        let half = 0.5 * (times[n] - times[n - 1]);
                        [0, 1, 2].map(|i| slid[i] + half * (before[i] + speed[i]))
                    }
                    _ => [0.0; 3],
                };
                slides[o].push(slid);
                speeds.push(speed);
            }
            before = speeds;
        }
        let flat = self.obstacles.iter().enumerate().filter_map(|(owner, shown)| {
            let point = self.first.points[shown.guides[0] as usize];
            let slides = block.push_reals(slides[owner].as_flattened());
            Some(FlatHeader { owner, point, normal: shown.normal?, slides })
        });
        let flat = flat.collect();
        Ok(SceneryHeader {
            count: self.count(),
            points: block.push_reals(self.points.as_flattened()),
            owners: block.push_indices(&self.owners),
            triangles: block.push_indices(self.surface.triangles.as_flattened()),
            edges: block.push_indices(self.surface.edges.as_flattened()),
            outline: block.push_indices(self.surface.outline.as_flattened()),
            lines: block.push_indices(self.surface.lines.as_flattened()),
            motions: block.push_reals(&motions.concat()),
            flat,
        })
    }
}

/// The cells of some obstacles alone, with their numbers: a surface has corners of its own for each of its triangles,
/// which are one point here.
fn merged(first: &FrameData, obstacles: &[(usize, &[usize])]) -> (FrameData, Vec<u32>) {
    let mut known: HashMap<(usize, [u64; 3]), u32> = HashMap::new();
    let (mut points, mut owners) = (Vec::new(), Vec::new());
    let (mut connectivity, mut offsets, mut cell_types) = (Vec::new(), vec![0], Vec::new());
    for &(owner, cells) in obstacles {
        for &c in cells {
            for &point in first.cell_points(c) {
                let place = first.points[point as usize];
                let number = *known.entry((owner, place.map(f64::to_bits))).or_insert_with(|| {
                    points.push(place);
                    owners.push(owner as u32);
                    points.len() as u32 - 1
                });
                connectivity.push(number);
            }
            offsets.push(connectivity.len() as u32);
            cell_types.push(first.cell_types[c]);
        }
    }
    (FrameData::of_cells(points, connectivity, offsets, cell_types), owners)
}

impl Shown {
    /// Of the cells of an obstacle; none where its points are one.
    fn new(frame: &FrameData, cells: &[usize]) -> Option<Self> {
        let mut points: Vec<u32> =
            cells.iter().flat_map(|&c| frame.cell_points(c)).copied().collect();
        let corners: Vec<Vector> = points.iter().map(|&p| frame.points[p as usize]).collect();
        let is_flat = cells.len() == 1 && [2, 4].contains(&points.len());
        let normal = is_flat.then(|| match corners[..] {
            // Bodies are to the left of a line, and a plate turns right-handed about its normal.
            [a, b] => [a[1] - b[1], b[0] - a[0], 0.0],
            _ => cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])),
        });
        let normal = match normal {
            Some(normal) => Some(unit(normal)?),
            None => None,
        };
        points.sort_unstable();
        points.dedup();
        let at = |p: &u32| frame.points[*p as usize];
        let farthest = |measure: &dyn Fn(Vector) -> f64| {
            points.iter().copied().max_by(|p, q| measure(at(p)).total_cmp(&measure(at(q))))
        };
        let a = *points.first()?;
        let b = farthest(&|x| length(minus(x, at(&a))))?;
        let along = unit(minus(at(&b), at(&a)))?;
        let aside = |x: Vector| length(cross(along, minus(x, at(&a))));
        let c = farthest(&aside).filter(|c| aside(at(c)) > RIGID * length(minus(at(&b), at(&a))));
        let guides = [Some(a), Some(b), c].into_iter().flatten().collect();
        Some(Self { points, guides, normal })
    }

    /// R and t of (1); none where no R and t fit.
    fn motion(&self, first: &[Vector], now: &[Vector]) -> Option<([Vector; 3], Vector)> {
        let at = |points: &[Vector], p: u32| points[p as usize];
        let (before, after) = (self.axes(first)?, self.axes(now)?);
        let r = [0, 1, 2].map(|i| {
            [0, 1, 2].map(|j| (0..3).map(|axis| after[axis][i] * before[axis][j]).sum::<f64>())
        });
        let turned = |x: Vector| r.map(|row| dot(row, x));
        let t = minus(at(now, self.guides[0]), turned(at(first, self.guides[0])));
        let size = length(minus(at(first, self.guides[1]), at(first, self.guides[0])));
        let fits = |&p: &u32| {
            let off = minus(minus(at(now, p), t), turned(at(first, p)));
            length(off) <= RIGID * (size + length(t))
        };
        self.points.iter().all(fits).then_some((r, t))
    }

    /// Axes that move with it.
    fn axes(&self, points: &[Vector]) -> Option<[Vector; 3]> {
        let at = |n: usize| self.guides.get(n).map(|&p| points[p as usize]);
        let (a, b) = (at(0)?, at(1)?);
        let along = unit(minus(b, a))?;
        let Some(c) = at(2) else {
            return Some([along, [-along[1], along[0], 0.0], [0.0, 0.0, 1.0]]);
        };
        let up = unit(cross(along, minus(c, a)))?;
        Some([along, cross(up, along), up])
    }

    /// Its velocity along itself where it is endless and flat, turned by R since the first frame.
    fn sliding(&self, frame: &FrameData, r: &[Vector; 3]) -> Vector {
        let Some(normal) = self.normal.map(|normal| r.map(|row| dot(row, normal))) else {
            return [0.0; 3];
        };
        let Some(velocity) = frame.point("velocity").filter(|array| array.components == 3) else {
            return [0.0; 3];
        };
        let share = 1.0 / self.points.len() as f64;
        let own = self.points.iter().map(|&p| &velocity.values[3 * p as usize..][..3]);
        let mean = own.fold([0.0; 3], |sum, v| [0, 1, 2].map(|i| sum[i] + share * v[i]));
        let out = dot(mean, normal);
        moved(mean, -out, normal)
    }
}

/// The same direction; none of nothing.
fn unit(a: Vector) -> Option<Vector> {
    let length = length(a);
    (length > 0.0 && length.is_finite()).then(|| a.map(|x| x / length))
}

#[cfg(test)]
mod tests {
    use super::super::block::tests::decoded;
    use super::*;
    use crate::output::Collection;
    use crate::output::vtu::{Field, Grid, VtuFrame, write_vtu};

    /// Corners of a brick, bit i of a corner its side along axis i, and of a plate below it.
    fn brick() -> Vec<Vector> {
        let corner = |k: u32| [0, 1, 2].map(|i| f64::from(k >> i & 1) * f64::from(i + 1));
        let plate = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [9.0, 9.0, 0.0], [-9.0, 9.0, 0.0]];
        (0..8).map(corner).chain(plate).collect()
    }

    const CELLS: [[u32; 4]; 7] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [8, 9, 10, 11],
    ];

    /// The brick turns about z and flies along x; the plate slides along y at 2, and what is drawn of it follows along x.
    fn place(corner: usize, x: Vector, time: f64) -> Vector {
        let (sine, cosine) = time.sin_cos();
        if corner < 8 {
            [cosine * x[0] - sine * x[1] + 3.0 * time, sine * x[0] + cosine * x[1], x[2]]
        } else {
            [x[0] + 3.0 * time, x[1], x[2]]
        }
    }

    fn write(folder: &std::path::Path, bend: f64) -> Frames {
        let mut collection = Collection::new();
        std::fs::create_dir_all(folder).unwrap();
        for k in 0..4 {
            let time = 0.25 * f64::from(k);
            let mut points: Vec<Vector> =
                brick().into_iter().enumerate().map(|(c, x)| place(c, x, time)).collect();
            points[7][2] += bend * time;
            let velocity: Vec<f64> =
                (0..36).map(|n| if n > 24 && n % 3 == 1 { 2.0 } else { 0.0 }).collect();
            let grid = Grid {
                points: &points,
                connectivity: CELLS.as_flattened(),
                offsets: &(0..8).map(|n| 4 * n).collect::<Vec<_>>(),
                cell_types: &[9; 7],
            };
            let frame = VtuFrame {
                time,
                units: "",
                point_data: &[Field::vector("velocity", &velocity)],
                cell_data: &[Field::integer("contact_set", &[0, 0, 0, 0, 0, 0, 1])],
            };
            write_vtu(&folder.join(format!("{k}.vtu")), &grid, &frame).unwrap();
            collection.push(time, format!("{k}.vtu"));
        }
        collection.write(&folder.join("obstacles.pvd")).unwrap();
        Frames::read(folder, "obstacles.pvd").unwrap()
    }

    fn reals(bytes: &[u8], part: BlockArray) -> Vec<f64> {
        let (numbers, _) = bytes[part.at..][..4 * part.count].as_chunks::<4>();
        numbers.iter().map(|n| f64::from(f32::from_le_bytes(*n))).collect()
    }

    #[test]
    fn a_turning_brick_and_a_sliding_plate_are_where_their_frames_say() {
        let folder = std::env::temp_dir().join(format!("delassus_scenery_{}", std::process::id()));
        let scenery = Scenery::read(write(&folder, 0.0)).unwrap();
        assert_eq!(
            (scenery.count(), scenery.points.len(), scenery.surface.triangles.len()),
            (2, 8, 12)
        );
        assert_eq!(scenery.surface.outline.len(), 12, "the edges of a brick, no diagonals");
        let (kept, times) = ([0, 1, 3], [0.0, 0.25, 0.75]);
        let mut block = Block::default();
        let header = scenery.pack(&kept, &times, &mut block).unwrap();
        let bytes = decoded(&block.base64());
        let (motions, points) = (reals(&bytes, header.motions), reals(&bytes, header.points));
        for (n, &time) in times.iter().enumerate() {
            let own = &motions[12 * n..][..12];
            for x in points.chunks_exact(3) {
                let [r, t] = [&own[..9], &own[9..]];
                let moved =
                    [0, 1, 2].map(|i| (0..3).map(|j| r[3 * i + j] * x[j]).sum::<f64>() + t[i]);
                let known = place(0, [x[0], x[1], x[2]], time);
                assert!(length(minus(moved, known)) < 1e-6, "{moved:?} for {known:?}");
            }
        }
        let flat = &header.flat[0];
        assert_eq!((flat.owner, flat.normal, header.flat.len()), (1, [0.0, 0.0, 1.0], 1));
        let slides = reals(&bytes, flat.slides);
        assert_eq!(slides, [0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 1.5, 0.0]);
        let bent = Scenery::read(write(&folder, 1e-3)).unwrap();
        let error = bent.pack(&kept, &times, &mut block).unwrap_err().to_string();
        assert!(error.contains("1.vtu") && error.contains("not the one of the first"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
