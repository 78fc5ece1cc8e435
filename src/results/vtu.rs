//! One frame, read back from its `.vtu`.
//!
//! The header declares the arrays, their bytes follow in one appended block:
//!
//! ```text
//!     … <DataArray type="Float64" Name="gap" NumberOfComponents="1" format="appended" offset="o"/> …
//!     <AppendedData encoding="raw">_ … n bytes …          the u64 n stands o bytes after `_`
//! ```
//!
//! Units of arrays, which may stand inside of their tags, are not read.
//!
//! Every offset and length is held against the size of the file before anything is made of it.

use std::path::{Path, PathBuf};

use super::tags::{Tag, tags};
use crate::error::Error;

/// Numbers with one tuple per point or per cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Numbers per tuple.
    pub components: usize,
    /// The numbers, one tuple after the other.
    pub values: Vec<f64>,
}

/// What is known of the bodies at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameData {
    /// Time.
    pub time: f64,
    /// Points before they moved.
    pub points: Vec<[f64; 3]>,
    /// Points of all cells, one cell after the other, in VTK's order.
    pub connectivity: Vec<u32>,
    /// Where each cell begins in `connectivity`, and at last where the last one ends.
    pub offsets: Vec<u32>,
    /// VTK's number for the shape of each cell.
    pub cell_types: Vec<u8>,
    point_arrays: Vec<(String, Array)>,
    cell_arrays: Vec<(String, Array)>,
}

impl FrameData {
    /// Reads a `.vtu` that a run wrote.
    ///
    /// # Errors
    /// A file that cannot be read, or that no run wrote.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes =
            std::fs::read(path).map_err(|source| Error::Read { path: path.into(), source })?;
        let document = Document::new(path, &bytes)?;
        document.frame()
    }

    /// Cells without fields, at time 0.
    #[cfg(feature = "figures")]
    pub(crate) fn of_cells(
        points: Vec<[f64; 3]>,
        connectivity: Vec<u32>,
        offsets: Vec<u32>,
        cell_types: Vec<u8>,
    ) -> Self {
        let (point_arrays, cell_arrays) = (Vec::new(), Vec::new());
        Self { time: 0.0, points, connectivity, offsets, cell_types, point_arrays, cell_arrays }
    }

    /// The field of the points that has this name.
    pub fn point(&self, name: &str) -> Option<&Array> {
        find(&self.point_arrays, name)
    }

    /// The field of the cells that has this name.
    pub fn cell(&self, name: &str) -> Option<&Array> {
        find(&self.cell_arrays, name)
    }

    /// Points of cell `c`.
    pub fn cell_points(&self, c: usize) -> &[u32] {
        &self.connectivity[self.offsets[c] as usize..self.offsets[c + 1] as usize]
    }
}

fn find<'a>(arrays: &'a [(String, Array)], name: &str) -> Option<&'a Array> {
    arrays.iter().find(|(known, _)| known == name).map(|(_, array)| array)
}

/// Header and appended block of a file.
struct Document<'a> {
    path: PathBuf,
    tags: Vec<Tag>,
    /// What follows `_`.
    appended: &'a [u8],
    /// Where that is in the file.
    start: usize,
}

const MARKER: &[u8] = b"<AppendedData encoding=\"raw\">\n_";
/// The header of a run's own frames has 3 kB.
const LONGEST_HEADER: usize = 1 << 20;

impl<'a> Document<'a> {
    fn new(path: &Path, bytes: &'a [u8]) -> Result<Self, Error> {
        let complain =
            |place: String| Error::Results { path: path.into(), message: damaged(&place) };
        let searched = &bytes[..bytes.len().min(LONGEST_HEADER)];
        let end = searched.windows(MARKER.len()).position(|window| window == MARKER);
        let end = end.ok_or_else(|| complain("there is no appended block".into()))?;
        let header = std::str::from_utf8(&bytes[..end]);
        let header =
            header.map_err(|error| complain(format!("byte {} is no text", error.valid_up_to())))?;
        let tags = tags(header).map_err(|byte| complain(format!("byte {byte} is no XML")))?;
        let start = end + MARKER.len();
        Ok(Self { path: path.into(), tags, appended: &bytes[start..], start })
    }

    fn complain(&self, place: impl AsRef<str>) -> Error {
        Error::Results { path: self.path.clone(), message: damaged(place.as_ref()) }
    }

    fn frame(&self) -> Result<FrameData, Error> {
        let ours = |tag: &&Tag| {
            tag.name == "VTKFile"
                && tag.get("type") == Some("UnstructuredGrid")
                && tag.get("byte_order") == Some("LittleEndian")
                && tag.get("header_type") == Some("UInt64")
        };
        if self.tags.iter().find(ours).is_none() {
            return Err(self.complain("the VTKFile tag is not one of an unstructured grid"));
        }
        let points = self.count("NumberOfPoints")?;
        let cells = self.count("NumberOfCells")?;
        let time = self.time()?;
        let place = self.section("Points", points)?;
        let (coordinates, rest) = self.named(&place, "Points", 3)?.as_chunks::<3>();
        debug_assert!(rest.is_empty(), "three components were asked for");
        let frame = FrameData {
            time,
            points: coordinates.to_vec(),
            connectivity: self.indices("connectivity", None, points)?,
            offsets: self.offsets(cells)?,
            cell_types: self.cell_types(cells)?,
            point_arrays: self.section("PointData", points)?,
            cell_arrays: self.section("CellData", cells)?,
        };
        self.check_offsets(&frame)?;
        Ok(frame)
    }

    /// The one number of the field data that is read; the units beside it are text.
    fn time(&self) -> Result<f64, Error> {
        let is_it = |tag: &&Tag| tag.name == "DataArray" && tag.get("Name") == Some("TimeValue");
        let tag = self.inside("FieldData").find(is_it);
        let tag = tag.ok_or_else(|| self.complain("there is no array 'TimeValue'"))?;
        Ok(self.array(tag, 1)?.1.values[0])
    }

    fn count(&self, key: &str) -> Result<usize, Error> {
        let piece = self.tags.iter().find(|tag| tag.name == "Piece");
        let number = piece.and_then(|tag| tag.get(key)).and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.complain(format!("the Piece tag has no whole number {key}")))
    }

    /// The arrays between `<name>` and `</name>`, each of so many tuples.
    fn section(&self, name: &str, tuples: usize) -> Result<Vec<(String, Array)>, Error> {
        let inside = self.inside(name).filter(|tag| tag.name == "DataArray");
        inside.map(|tag| self.array(tag, tuples)).collect()
    }

    /// The tags between `<name>` and `</name>`.
    fn inside(&self, name: &str) -> impl Iterator<Item = &Tag> {
        let end = format!("/{name}");
        let start = self.tags.iter().position(|tag| tag.name == name);
        let after = start.map_or(&self.tags[..0], |start| &self.tags[start + 1..]);
        after.iter().take_while(move |tag| tag.name != end)
    }

    fn array(&self, tag: &Tag, tuples: usize) -> Result<(String, Array), Error> {
        let name = tag.get("Name").ok_or_else(|| self.complain("an array has no name"))?;
        let components = tag.get("NumberOfComponents").unwrap_or("1").parse::<usize>();
        let components = components.ok().filter(|&count| count > 0);
        let components = components
            .ok_or_else(|| self.complain(format!("array '{name}' has no number of components")))?;
        let values = self.numbers(tag, name)?;
        if components.checked_mul(tuples) != Some(values.len()) {
            let found = values.len();
            return Err(self.complain(format!(
                "array '{name}' has {found} numbers for {tuples} tuples of {components}"
            )));
        }
        Ok((name.into(), Array { components, values }))
    }

    fn named<'b>(
        &self,
        arrays: &'b [(String, Array)],
        name: &str,
        components: usize,
    ) -> Result<&'b [f64], Error> {
        let array = find(arrays, name).filter(|array| array.components == components);
        let array = array.ok_or_else(|| {
            self.complain(format!("there is no array '{name}' of {components} components"))
        })?;
        Ok(&array.values)
    }

    /// The numbers a tag declares. Integers of 32 bits and bytes are exact as reals.
    fn numbers(&self, tag: &Tag, name: &str) -> Result<Vec<f64>, Error> {
        let bytes = self.bytes(tag, name)?;
        let ragged = || self.complain(format!("array '{name}' ends within a number"));
        match tag.get("type") {
            Some("Float64") => convert(bytes, f64::from_le_bytes).ok_or_else(ragged),
            Some("Int32") => {
                convert(bytes, |four| f64::from(i32::from_le_bytes(four))).ok_or_else(ragged)
            }
            Some("UInt8") => Ok(bytes.iter().map(|&byte| f64::from(byte)).collect()),
            other => {
                let other = other.unwrap_or("no type");
                Err(self
                    .complain(format!("array '{name}' is of {other}, not Float64, Int32 or UInt8")))
            }
        }
    }

    /// The bytes a tag declares, cut out of the file.
    fn bytes(&self, tag: &Tag, name: &str) -> Result<&'a [u8], Error> {
        let offset = tag.get("offset").and_then(|text| text.parse::<usize>().ok());
        let offset =
            offset.ok_or_else(|| self.complain(format!("array '{name}' has no offset")))?;
        let beyond = || {
            let size = self.start + self.appended.len();
            self.complain(format!(
                "array '{name}', {offset} bytes into the appended block, runs over the end of the \
                 file at byte {size}"
            ))
        };
        let rest = self.appended.get(offset..).ok_or_else(beyond)?;
        let (length, data) = rest.split_first_chunk::<8>().ok_or_else(beyond)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| beyond())?;
        data.get(..length).ok_or_else(beyond)
    }

    /// The array `name` of the cells: whole numbers below `bound`.
    fn indices(&self, name: &str, count: Option<usize>, bound: usize) -> Result<Vec<u32>, Error> {
        let is_it = |tag: &&Tag| tag.name == "DataArray" && tag.get("Name") == Some(name);
        let tag = self.inside("Cells").find(is_it);
        let tag = tag.ok_or_else(|| self.complain(format!("there is no array '{name}'")))?;
        let numbers = self.numbers(tag, name)?;
        if let Some(count) = count.filter(|&count| count != numbers.len()) {
            let found = numbers.len();
            return Err(self.complain(format!("array '{name}' has {found} numbers, not {count}")));
        }
        let fits = |value: f64| value >= 0.0 && value < bound as f64 && value.fract() == 0.0;
        if let Some(at) = numbers.iter().position(|&value| !fits(value)) {
            let value = numbers[at];
            return Err(self.complain(format!(
                "number {at} of array '{name}' is {value}, not a whole number below {bound}"
            )));
        }
        // Exact: whole, and of 32 bits in the file.
        Ok(numbers.iter().map(|&value| value as u32).collect())
    }

    /// The file says where each cell ends.
    fn offsets(&self, cells: usize) -> Result<Vec<u32>, Error> {
        let ends = self.indices("offsets", Some(cells), self.appended.len())?;
        Ok(std::iter::once(0).chain(ends).collect())
    }

    fn cell_types(&self, cells: usize) -> Result<Vec<u8>, Error> {
        let types = self.indices("types", Some(cells), 1 << u8::BITS)?;
        Ok(types.iter().map(|&number| number as u8).collect())
    }

    fn check_offsets(&self, frame: &FrameData) -> Result<(), Error> {
        if let Some(cell) = frame.offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(self.complain(format!("the offsets decrease at cell {cell}")));
        }
        let (last, length) = (frame.offsets.last().copied(), frame.connectivity.len());
        if last.map(|last| last as usize) != Some(length) {
            return Err(self.complain(format!(
                "the last cell ends at {}, the connectivity at {length}",
                last.unwrap_or(0)
            )));
        }
        Ok(())
    }
}

fn convert<const SIZE: usize>(
    bytes: &[u8],
    number: impl Fn([u8; SIZE]) -> f64,
) -> Option<Vec<f64>> {
    let (numbers, rest) = bytes.as_chunks::<SIZE>();
    rest.is_empty().then(|| numbers.iter().map(|&bytes| number(bytes)).collect())
}

fn damaged(place: &str) -> String {
    format!("{place}; the file is damaged or no run wrote it: run the case again")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::vtu::{Field, Grid, VtuFrame, write_vtu};
    use crate::units::Dimension;

    const POINTS: [[f64; 3]; 5] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0 / 3.0, 0.0],
        [0.0, 1.0, 0.0],
        [2.0, -1e-300, 7.0],
    ];

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let process = std::process::id();
            Scratch(std::env::temp_dir().join(format!("delassus-read-{name}-{process}.vtu")))
        }

        fn with(self, bytes: &[u8]) -> Self {
            std::fs::write(&self.0, bytes).unwrap();
            self
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    /// Two triangles and a dot, with fields of every kind.
    fn written(scratch: &Scratch) -> Vec<u8> {
        let grid = Grid {
            points: &POINTS,
            connectivity: &[0, 1, 2, 0, 2, 3, 4],
            offsets: &[0, 3, 6, 7],
            cell_types: &[5, 5, 1],
        };
        let velocity: Vec<f64> = (0..15).map(|i| 0.1 * f64::from(i) - 0.3).collect();
        let stress: Vec<f64> = (0..18).map(|i| -1.0 / f64::from(i + 1)).collect();
        let frame = VtuFrame {
            time: 0.1 + 0.2,
            units: "mm, ms, g",
            point_data: &[
                Field::vector("velocity", &velocity).of(Dimension::Velocity),
                Field::integer("contact_status", &[-1, 0, 1, 2, i32::MIN]),
            ],
            cell_data: &[Field::symmetric_tensor("stress", &stress)],
        };
        write_vtu(&scratch.0, &grid, &frame).unwrap();
        std::fs::read(&scratch.0).unwrap()
    }

    #[test]
    fn what_is_written_is_read_back_bit_for_bit() {
        let scratch = Scratch::new("round-trip");
        written(&scratch);
        let frame = FrameData::read(&scratch.0).unwrap();
        assert_eq!(frame.time, 0.1 + 0.2);
        assert_eq!(frame.points, POINTS);
        assert_eq!(frame.connectivity, [0, 1, 2, 0, 2, 3, 4]);
        assert_eq!(frame.offsets, [0, 3, 6, 7]);
        assert_eq!(frame.cell_types, [5, 5, 1]);
        assert_eq!(frame.cell_points(1), [0, 2, 3]);
        let velocity = frame.point("velocity").unwrap();
        assert_eq!((velocity.components, velocity.values[14]), (3, 0.1 * 14.0 - 0.3));
        let status = frame.point("contact_status").unwrap();
        assert_eq!(status.values, [-1.0, 0.0, 1.0, 2.0, f64::from(i32::MIN)]);
        let stress = frame.cell("stress").unwrap();
        assert_eq!((stress.components, stress.values[17]), (6, -1.0 / 18.0));
        assert_eq!((frame.cell("velocity"), frame.point("stress")), (None, None));
    }

    #[test]
    fn a_file_cut_anywhere_before_its_last_array_ends_is_refused() {
        let scratch = Scratch::new("cut");
        let whole = written(&scratch);
        let tail = b"\n</AppendedData>\n</VTKFile>\n".len();
        for length in (0..whole.len() - tail).step_by(7) {
            let cut = Scratch::new("cut").with(&whole[..length]);
            let error = FrameData::read(&cut.0).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{error}");
            assert!(error.to_string().contains("run the case again"), "{error}");
        }
    }

    #[test]
    fn no_flipped_bit_makes_the_reader_panic_or_hand_out_a_stray_index() {
        let scratch = Scratch::new("flipped");
        let whole = written(&scratch);
        let mut refused = 0;
        for at in 0..whole.len() {
            for flip in [0x01, 0x10, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                let flipped = Scratch::new("flipped").with(&bytes);
                match FrameData::read(&flipped.0) {
                    Ok(frame) => {
                        let points = frame.points.len() as u32;
                        assert!(frame.connectivity.iter().all(|&point| point < points));
                        (0..frame.cell_types.len())
                            .for_each(|c| drop(frame.cell_points(c).to_vec()));
                    }
                    Err(error) => {
                        refused += 1;
                        assert_eq!(error.exit_code(), 2, "{error}");
                    }
                }
            }
        }
        assert!(refused > whole.len(), "only {refused} of {} flips were refused", 4 * whole.len());
    }

    #[test]
    fn a_length_beyond_the_file_is_refused_before_it_is_believed() {
        let scratch = Scratch::new("length");
        let mut bytes = written(&scratch);
        let start = bytes.windows(MARKER.len()).position(|window| window == MARKER).unwrap();
        bytes[start + MARKER.len()..][..8].copy_from_slice(&u64::MAX.to_le_bytes());
        let scratch = scratch.with(&bytes);
        let error = FrameData::read(&scratch.0).unwrap_err().to_string();
        assert!(
            error.contains("array 'types', 0 bytes into the appended block, runs over the end"),
            "{error}"
        );
    }
}
