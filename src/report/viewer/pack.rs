//! Frames of a run as data of the page: which frames, which fields, how large.

use serde::Serialize;

use super::block::{Block, BlockArray, FieldComponent};
use super::pushes::{Pushes, PushesHeader};
use super::scenery::{Scenery, SceneryHeader};
use super::shown::{FieldPlace, KINDS, ShownField};
use super::surface::DrawnSurface;
use crate::error::Error;
use crate::results::{FrameData, Frames};
use crate::units::Dimension;

/// VTK's marks of what is hidden.
const HIDDEN: &str = "vtkGhostType";

/// More frames than this are no smoother to the eye.
const MOST_FRAMES: usize = 120;

/// What the script of the page reads beside the block.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Header {
    /// 2 in the plane, 3 in space.
    dimension: usize,
    /// Times of the frames in the page.
    times: Vec<f64>,
    /// Points, three reals each.
    points: BlockArray,
    point_numbers: BlockArray,
    cell_numbers: BlockArray,
    triangles: BlockArray,
    triangle_cells: BlockArray,
    edges: BlockArray,
    outline: BlockArray,
    lines: BlockArray,
    line_cells: BlockArray,
    dots: BlockArray,
    /// Points that may touch something.
    contacts: BlockArray,
    fields: Vec<FieldHeader>,
    /// Factor of displacements to begin with.
    warp: f64,
    /// Step size: impulse over it is force.
    step: f64,
    scenery: Option<SceneryHeader>,
    /// Forces between bodies.
    pushes: Option<PushesHeader>,
    /// Whether each point is hidden, frame after frame.
    hidden: Option<BlockArray>,
}

/// A field at all frames.
#[derive(Clone, Debug, Serialize)]
struct FieldHeader {
    name: &'static str,
    label: &'static str,
    unit: String,
    /// "point", "cell" or "contact".
    on: FieldPlace,
    components: Vec<FieldComponent>,
}

/// Frames that are packed, and what is drawn of them.
pub(super) struct Package<'a> {
    frames: &'a Frames,
    first: FrameData,
    surface: DrawnSurface,
    contacts: Vec<u32>,
    dimension: usize,
    /// Numbers of the frames that are kept.
    kept: Vec<usize>,
    scenery: Option<&'a Scenery>,
    pushes: Option<&'a Pushes>,
}

impl<'a> Package<'a> {
    /// Chooses so many frames, evenly and with the first and the last, that the text of all is within
    /// `budget` bytes; at least two. None where even they are more than `limit`.
    ///
    /// # Errors
    /// Frames that cannot be read.
    pub(super) fn choose(
        frames: &'a Frames,
        (scenery, pushes): (Option<&'a Scenery>, Option<&'a Pushes>),
        (budget, limit): (usize, usize),
    ) -> Result<Option<Self>, Error> {
        let first = frames.load(0)?;
        let surface = DrawnSurface::of(&first).map_err(|message| frames.complaint(0, message))?;
        let flat = |point: &u32| first.points[*point as usize][2] == 0.0;
        let dimension = if surface.points.iter().all(flat) { 2 } else { 3 };
        let status = first.point("contact_status");
        let is_candidate = |point: usize| {
            status.is_some_and(|array| array.values[array.components * point] >= 0.0)
        };
        let drawn = surface.points.iter().enumerate();
        let contacts = drawn.filter(|(_, point)| is_candidate(**point as usize));
        let contacts = contacts.map(|(n, _)| n as u32).collect();
        let kept = Vec::new();
        let mut package =
            Self { frames, first, surface, contacts, dimension, kept, scenery, pushes };
        let (once, each) = (package.text_once(), package.text_per_frame());
        let fitting = budget.saturating_sub(once) / each.max(1);
        package.kept = evenly(frames.len(), fitting.clamp(2, MOST_FRAMES));
        let text = once + package.kept.len() * each;
        Ok((text <= limit).then_some(package))
    }

    /// How many frames are kept.
    pub(super) fn kept(&self) -> usize {
        self.kept.len()
    }

    /// Points, triangles and cells that are drawn.
    pub(super) fn sizes(&self) -> (usize, usize) {
        (self.surface.points.len(), self.surface.triangles.len())
    }

    /// Which forces between bodies the page leaves out, as a sentence.
    pub(super) fn pushes_left_out(&self) -> String {
        self.pushes.map_or(String::new(), Pushes::left_out)
    }

    /// Whether it is in space.
    pub(super) fn in_space(&self) -> bool {
        self.dimension == 3
    }

    /// Bytes of text that points and triangles take.
    fn text_once(&self) -> usize {
        let surface = &self.surface;
        let size = if surface.points.len() > 1 << 16 { 4 } else { 2 };
        let pairs = surface.edges.len() + surface.outline.len() + surface.lines.len();
        let numbers = 4 * surface.triangles.len() + 2 * pairs + surface.points.len();
        let bytes = 12 * surface.points.len() + size * (numbers + surface.cells.len());
        let beside = self.scenery.map_or(0, |scenery| scenery.text(MOST_FRAMES));
        bytes.div_ceil(3) * 4 + beside
    }

    /// Bytes of text that the fields of one frame take at most.
    fn text_per_frame(&self) -> usize {
        let numbers = |kind: &ShownField| {
            let components = (0..kind.components.len()).filter(|&i| kind.has(i, self.dimension));
            components.count() * self.drawn(kind.on)
        };
        let pushes = self.pushes.map_or(0, Pushes::text_per_frame);
        let hidden = if self.first.cell(HIDDEN).is_some() { self.surface.points.len() } else { 0 };
        let numbers = KINDS.iter().map(numbers).sum::<usize>() + hidden;
        (2 * numbers).div_ceil(3) * 4 + pushes
    }

    fn drawn(&self, place: FieldPlace) -> usize {
        match place {
            FieldPlace::Point => self.surface.points.len(),
            FieldPlace::Cell => self.surface.cells.len(),
            FieldPlace::Contact => self.contacts.len(),
        }
    }

    /// Header and block. `unit` names the unit of a quantity.
    ///
    /// # Errors
    /// Frames that cannot be read, that do not fit each other, or that have values that are none.
    pub(super) fn pack(
        &self,
        step: f64,
        unit: impl Fn(Dimension) -> String,
    ) -> Result<(Header, Block), Error> {
        let values = self.gather()?;
        let mut block = Block::default();
        let (surface, first) = (&self.surface, &self.first);
        let points = surface.points.iter().flat_map(|&point| first.points[point as usize]);
        let points: Vec<f64> = points.collect();
        let times: Vec<f64> = self.kept.iter().map(|&k| self.frames.times()[k]).collect();
        let scenery = match self.scenery {
            Some(scenery) => Some(scenery.pack(&self.kept, &times, &mut block)?),
            None => None,
        };
        let pushes = match self.pushes {
            Some(pushes) => pushes.pack(&self.kept, &mut block)?,
            None => None,
        };
        let hidden = self.hidden()?.map(|hidden| block.push_indices(&hidden));
        let mut header = Header {
            dimension: self.dimension,
            times,
            points: block.push_reals(&points),
            point_numbers: block.push_indices(&surface.points),
            cell_numbers: block.push_indices(&surface.cells),
            triangles: block.push_indices(surface.triangles.as_flattened()),
            triangle_cells: block.push_indices(&surface.triangle_cells),
            edges: block.push_indices(surface.edges.as_flattened()),
            outline: block.push_indices(surface.outline.as_flattened()),
            lines: block.push_indices(surface.lines.as_flattened()),
            line_cells: block.push_indices(&surface.line_cells),
            dots: block.push_indices(&surface.dots),
            contacts: block.push_indices(&self.contacts),
            fields: Vec::new(),
            warp: self.warp(&values[0]),
            step,
            scenery,
            pushes,
            hidden,
        };
        for (kind, values) in KINDS.iter().zip(&values) {
            let mut components = Vec::new();
            for (&name, values) in kind.components.iter().zip(values) {
                let component = block.push_component(name, values).map_err(|value| {
                    let name = kind.name;
                    let message =
                        format!("'{name}' has the value or range {value}; the run blew up");
                    self.frames.complaint(0, message)
                })?;
                components.push(component);
            }
            let moves =
                |component: &FieldComponent| component.part.is_some() || component.min != 0.0;
            if kind.name == "displacement" || components.iter().any(moves) {
                let (name, label, on) = (kind.name, kind.label, kind.on);
                let unit = unit(kind.dimension);
                header.fields.push(FieldHeader { name, label, unit, on, components });
            }
        }
        Ok((header, block))
    }

    /// Whether each drawn point is of a body that is not there, frame after frame; none where all always are.
    fn hidden(&self) -> Result<Option<Vec<u32>>, Error> {
        let mut hidden = Vec::new();
        for &k in &self.kept {
            let frame = self.frames.load(k)?;
            let Some(marks) = frame.point(HIDDEN) else { return Ok(None) };
            let own = self.surface.points.iter().map(|&point| marks.values.get(point as usize));
            hidden.extend(own.map(|mark| u32::from(mark.is_some_and(|mark| *mark > 0.0))));
        }
        Ok(hidden.contains(&1).then_some(hidden))
    }

    /// Per kind and component: values frame after frame; none of components that are zero.
    fn gather(&self) -> Result<Vec<Vec<Vec<f64>>>, Error> {
        let mut gathered: Vec<Vec<Vec<f64>>> =
            KINDS.iter().map(|kind| vec![Vec::new(); kind.components.len()]).collect();
        for &k in &self.kept {
            let frame = self.frames.load(k)?;
            let sizes = |frame: &FrameData| (frame.points.len(), frame.cell_types.len());
            if sizes(&frame) != sizes(&self.first) {
                let ((points, cells), first) = (sizes(&frame), sizes(&self.first));
                let message = format!(
                    "it has {points} points and {cells} cells, the first frame {first:?}; \
                     are they of one run? run the case again"
                );
                return Err(self.frames.complaint(k, message));
            }
            for (kind, columns) in KINDS.iter().zip(&mut gathered) {
                self.append(kind, &frame, columns)
                    .map_err(|message| self.frames.complaint(k, message))?;
            }
        }
        Ok(gathered)
    }

    fn append(
        &self,
        kind: &ShownField,
        frame: &FrameData,
        columns: &mut [Vec<f64>],
    ) -> Result<(), String> {
        let array = match kind.on {
            FieldPlace::Point | FieldPlace::Contact => frame.point(kind.name),
            FieldPlace::Cell => frame.cell(kind.name),
        };
        let components = kind.components.len();
        if array.is_none() && kind.name != "displacement" {
            return Ok(());
        }
        let array = array.filter(|array| array.components == components).ok_or_else(|| {
            let name = kind.name;
            format!("there is no field '{name}' of {components} components; run the case again")
        })?;
        for (i, column) in columns.iter_mut().enumerate() {
            let value = |tuple: u32| array.values[components * tuple as usize + i];
            match kind.on {
                _ if !kind.has(i, self.dimension) => {}
                FieldPlace::Point => column.extend(self.surface.points.iter().map(|&p| value(p))),
                FieldPlace::Cell => column.extend(self.surface.cells.iter().map(|&c| value(c))),
                FieldPlace::Contact => {
                    let points = &self.surface.points;
                    column.extend(self.contacts.iter().map(|&n| value(points[n as usize])));
                }
            }
        }
        Ok(())
    }

    /// A round factor that makes the largest displacement about a twentieth of the size; 1 where it is
    /// more without, and where bodies are rigid: a factor would bend them.
    fn warp(&self, displacement: &[Vec<f64>]) -> f64 {
        let rigid = self.first.cell_types.iter().any(|number| [1, 7].contains(number));
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &point in &self.surface.points {
            for (i, x) in self.first.points[point as usize].into_iter().enumerate() {
                (low[i], high[i]) = (low[i].min(x), high[i].max(x));
            }
        }
        let square = |lengths: [f64; 3]| lengths.map(|x| x * x).iter().sum::<f64>().sqrt();
        let size = square([0, 1, 2].map(|i| high[i] - low[i]));
        let at = |n: usize, i: usize| displacement[i].get(n).copied().unwrap_or(0.0);
        let largest = (0..displacement[0].len())
            .map(|n| square([0, 1, 2].map(|i| at(n, i))))
            .fold(0.0, f64::max);
        let factor = 0.05 * size / largest;
        if rigid || !factor.is_finite() || factor <= 1.0 {
            return 1.0;
        }
        let power = 10_f64.powf(factor.log10().floor());
        let leading = [5.0, 2.0].into_iter().find(|&leading| leading * power <= factor);
        leading.unwrap_or(1.0) * power
    }
}

/// At most `most` of 0 … count − 1, evenly, with the first and the last.
fn evenly(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    let last = (count - 1) as f64;
    (0..most).map(|i| (last * i as f64 / (most - 1) as f64).round() as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::super::block::LEVELS;
    use super::super::block::tests::{decoded, unpacked};
    use super::*;
    use crate::output::Collection;
    use crate::output::vtu::{Field, Grid, VtuFrame, write_vtu};
    use std::path::PathBuf;

    const POINTS: [[f64; 3]; 4] =
        [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

    /// A results folder with frames of a square; removed when it is dropped.
    struct PackFolder(PathBuf);

    impl PackFolder {
        fn with_frames(name: &str, count: usize, cells: [u8; 2]) -> Self {
            let folder =
                std::env::temp_dir().join(format!("delassus_pack_{name}_{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            let mut collection = Collection::new();
            for k in 0..count {
                write_frame(&folder.join(format!("{k}.vtu")), k, cells);
                collection.push(k as f64, format!("{k}.vtu"));
            }
            collection.write(&folder.join("fields.pvd")).unwrap();
            PackFolder(folder)
        }

        fn frames(&self) -> Frames {
            Frames::read(&self.0, "fields.pvd").unwrap()
        }
    }

    impl Drop for PackFolder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn displacement(k: usize) -> Vec<f64> {
        (0..12).map(|n| if n % 3 == 2 { 0.0 } else { 1e-4 * ((7 * n + k) as f64).sin() }).collect()
    }

    fn write_frame(path: &std::path::Path, k: usize, cell_types: [u8; 2]) {
        let grid = Grid {
            points: &POINTS,
            connectivity: &[0, 1, 2, 0, 2, 3],
            offsets: &[0, 3, 6],
            cell_types: &cell_types,
        };
        let (zero, moved) = ([0.0; 12], displacement(k));
        let frame = VtuFrame {
            time: k as f64,
            units: "mm, ms, g",
            point_data: &[
                Field::vector("displacement", &moved),
                Field::vector("velocity", &zero),
                Field::vector("contact_impulse", &zero),
                Field::scalar("gap", &[0.0, 0.5, 0.0, 0.0]),
                Field::integer("contact_status", &[-1, 0, -1, -1]),
                Field::scalar("tangential_work_total", &[0.0; 4]),
                Field::scalar("normal_work_total", &[0.0; 4]),
            ],
            cell_data: &[Field::symmetric_tensor("stress", &[1.0; 12])],
        };
        write_vtu(path, &grid, &frame).unwrap();
    }

    const WIDE: (usize, usize) = (1_000_000, 1_000_000);

    #[test]
    fn what_the_page_unpacks_is_what_the_frames_say_to_half_a_level() {
        let folder = PackFolder::with_frames("exact", 5, [5, 5]);
        let frames = folder.frames();
        let package = Package::choose(&frames, (None, None), WIDE).unwrap().unwrap();
        let (header, block) = package.pack(0.1, |_| String::new()).unwrap();
        let bytes = decoded(&block.base64());
        assert_eq!(header.times, [0.0, 1.0, 2.0, 3.0, 4.0]);
        let names: Vec<&str> = header.fields.iter().map(|field| field.name).collect();
        assert_eq!(names, ["displacement", "stress", "gap"], "fields that are zero are left out");
        for (i, component) in header.fields[0].components.iter().enumerate() {
            let known: Vec<f64> =
                (0..5).flat_map(|k| displacement(k).into_iter().skip(i).step_by(3)).collect();
            let bound = (component.max - component.min) / (2.0 * LEVELS) * (1.0 + 1e-9);
            for (read, known) in unpacked(&bytes, component, known.len()).iter().zip(known) {
                assert!((read - known).abs() <= bound, "{read} for {known}");
            }
        }
        let gap = &header.fields[2];
        assert_eq!(
            (gap.on, gap.components[0].min, header.contacts.count),
            (FieldPlace::Contact, 0.5, 1)
        );
    }

    #[test]
    fn frames_are_dropped_evenly_until_they_fit() {
        let folder = PackFolder::with_frames("budget", 30, [5, 5]);
        let frames = folder.frames();
        let all = Package::choose(&frames, (None, None), WIDE).unwrap().unwrap();
        let (once, each) = (all.text_once(), all.text_per_frame());
        assert_eq!(all.kept(), 30);
        let some = Package::choose(&frames, (None, None), (once + 4 * each, once + 4 * each))
            .unwrap()
            .unwrap();
        assert_eq!(some.kept, [0, 10, 19, 29]);
        let (_, block) = some.pack(0.1, |_| String::new()).unwrap();
        let length = block.base64().len();
        assert!(length <= once + 4 * each + 64, "{length} bytes");
        let least = Package::choose(&frames, (None, None), (0, once + 2 * each)).unwrap().unwrap();
        assert_eq!(least.kept, [0, 29]);
        assert!(Package::choose(&frames, (None, None), (0, once)).unwrap().is_none());
        assert_eq!(evenly(1000, MOST_FRAMES).len(), MOST_FRAMES);
        assert_eq!(evenly(1000, MOST_FRAMES).last(), Some(&999));
    }

    #[test]
    fn small_displacements_are_enlarged_to_a_twentieth_but_not_of_rigid_bodies() {
        let warp = |name: &str, cells| {
            let folder = PackFolder::with_frames(name, 3, cells);
            let frames = folder.frames();
            let package = Package::choose(&frames, (None, None), WIDE).unwrap().unwrap();
            package.pack(0.1, |_| String::new()).unwrap().0.warp
        };
        // √5/20 over at most √2·10⁻⁴ is 791 or more
        assert_eq!(warp("elastic", [5, 5]), 500.0);
        assert_eq!(warp("rigid", [7, 5]), 1.0);
    }
}
