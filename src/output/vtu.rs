//! One frame of a run as a VTK unstructured grid (`.vtu`), for ParaView, PyVista and meshio.
//!
//! An XML header declares the arrays; their bytes follow unencoded in one appended block, the last
//! array first:
//!
//! ```text
//!     <VTKFile …> … <DataArray … offset="o₀"/> <DataArray … offset="o₁"/> …
//!     <AppendedData encoding="raw">_ … n₁ bytes₁ n₀ bytes₀ </AppendedData></VTKFile>
//! ```
//!
//! Offsets count from the byte after `_`, each nᵢ is a `u64`, all numbers are little endian. The
//! arrays are written from where they are: nothing is copied but one small buffer.
//!
//! The order is for meshio 5.3, which puts offsets of its own into the header as it walks along the block,
//! and looks for the next array by an offset of ours: the first tag with that number must be the right one.
//!
//! Units stand where VTK looks for them: the unit of an array as its information key `UNITS_LABEL`. The
//! case's own list is the field data `units`, the bytes of its text, since meshio reads numbers alone.
//!
//! Written here and not with `vtkio` 0.6.3, which has no field data (so no `TimeValue`), takes
//! owned arrays and writes base64 only: a frame of 400 000 triangles is 108 MB in 1.1 s with
//! 450 MB of copies, against 75 MB in 0.05 s with none; VTK reads it in 1.5 s against 0.07 s.

use super::appended::ArrayValues;
use super::atomic::write_whole;
use super::xml::escape;
use crate::units::{Dimension, Units};
use std::io::{self, Write};
use std::path::Path;

/// Component names of a vector.
pub const VECTOR: [&str; 3] = ["x", "y", "z"];

/// Component names of a symmetric tensor, in the order VTK expects.
pub const SYMMETRIC_TENSOR: [&str; 6] = ["xx", "yy", "zz", "xy", "yz", "xz"];

/// Points and cells. Cell `c` has the points `connectivity[offsets[c]..offsets[c + 1]]`.
#[derive(Debug, Clone, Copy)]
pub struct Grid<'a> {
    /// Coordinates; z = 0 in the plane.
    pub points: &'a [[f64; 3]],
    /// Points of all cells, one cell after the other, in VTK's order.
    pub connectivity: &'a [u32],
    /// Where each cell begins in `connectivity`, and at last where the last one ends.
    pub offsets: &'a [u32],
    /// VTK's number for the shape of each cell (5 is a triangle with three points).
    pub cell_types: &'a [u8],
}

/// Values of a field, one tuple after the other.
#[derive(Debug, Clone, Copy)]
pub enum FieldValues<'a> {
    /// Written as `Float64`.
    Reals(&'a [f64]),
    /// Written as `Int32`.
    Integers(&'a [i32]),
    /// Written as `UInt8`.
    Marks(&'a [u8]),
}

/// A named array with one tuple per point or per cell.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// Name shown to the user.
    pub name: &'a str,
    /// Numbers per tuple.
    pub components: usize,
    /// Name of each component; may be empty.
    pub component_names: &'a [&'a str],
    /// What the numbers measure; nothing where they have no unit.
    pub dimension: Option<Dimension>,
    /// The numbers.
    pub values: FieldValues<'a>,
}

impl<'a> Field<'a> {
    /// One real per tuple.
    pub fn scalar(name: &'a str, values: &'a [f64]) -> Self {
        Self::new(name, 1, &[], FieldValues::Reals(values))
    }

    /// One integer per tuple.
    pub fn integer(name: &'a str, values: &'a [i32]) -> Self {
        Self::new(name, 1, &[], FieldValues::Integers(values))
    }

    /// Three reals per tuple.
    pub fn vector(name: &'a str, values: &'a [f64]) -> Self {
        Self::new(name, 3, &VECTOR, FieldValues::Reals(values))
    }

    /// Six reals per tuple, in the order of [`SYMMETRIC_TENSOR`].
    pub fn symmetric_tensor(name: &'a str, values: &'a [f64]) -> Self {
        Self::new(name, 6, &SYMMETRIC_TENSOR, FieldValues::Reals(values))
    }

    /// A real for each of these components.
    pub fn reals(name: &'a str, components: &'a [&'a str], values: &'a [f64]) -> Self {
        Self::new(name, components.len(), components, FieldValues::Reals(values))
    }

    /// One byte per tuple.
    pub fn marks(name: &'a str, values: &'a [u8]) -> Self {
        Self::new(name, 1, &[], FieldValues::Marks(values))
    }

    fn new(
        name: &'a str,
        components: usize,
        component_names: &'a [&'a str],
        values: FieldValues<'a>,
    ) -> Self {
        Self { name, components, component_names, dimension: None, values }
    }

    /// The same, of numbers that measure something.
    pub fn of(self, dimension: Dimension) -> Self {
        Self { dimension: Some(dimension), ..self }
    }
}

/// What is known of a grid at one time.
#[derive(Debug, Clone, Copy)]
pub struct VtuFrame<'a> {
    /// Stored as the field data `TimeValue`, which VTK reads as the file's time.
    pub time: f64,
    /// The case's units, stored as the field data `units` where there are any.
    pub units: &'a str,
    /// Fields with one tuple per point.
    pub point_data: &'a [Field<'a>],
    /// Fields with one tuple per cell.
    pub cell_data: &'a [Field<'a>],
}

/// Writes `frame` on `grid` to `path`, whole or not at all.
///
/// # Errors
/// What the file system refuses; arrays that do not fit each other, before any file is touched.
pub fn write_vtu(path: &Path, grid: &Grid, frame: &VtuFrame) -> io::Result<()> {
    check_grid(grid)?;
    check_fields("point", grid.points.len(), frame.point_data)?;
    check_fields("cell", grid.cell_types.len(), frame.cell_data)?;
    write_whole(path, |out| write_document(out, grid, frame))
}

fn check_grid(grid: &Grid) -> io::Result<()> {
    let (points, cells) = (grid.points.len(), grid.cell_types.len());
    if points > i32::MAX as usize || grid.connectivity.len() > i32::MAX as usize {
        return refuse(format!(
            "grid has {points} points and {cells} cells; split it, indices have 31 bits"
        ));
    }
    if grid.offsets.len() != cells + 1 {
        let offsets = grid.offsets.len();
        return refuse(format!("grid has {offsets} offsets for {cells} cells; give {}", cells + 1));
    }
    if grid.offsets[0] != 0 || grid.offsets[cells] as usize != grid.connectivity.len() {
        let (first, last) = (grid.offsets[0], grid.offsets[cells]);
        let length = grid.connectivity.len();
        return refuse(format!(
            "grid offsets run from {first} to {last}; they must run from 0 to {length}"
        ));
    }
    if let Some(cell) = grid.offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        return refuse(format!("grid offsets decrease at cell {cell}; they must ascend"));
    }
    if let Some(point) = grid.connectivity.iter().find(|&&point| point as usize >= points) {
        return refuse(format!(
            "a cell names point {point}; the grid has {points} points, counted from 0"
        ));
    }
    Ok(())
}

fn check_fields(place: &str, tuples: usize, fields: &[Field]) -> io::Result<()> {
    for field in fields {
        let (name, components, names) = (field.name, field.components, field.component_names);
        let (found, needed) = (field.values.block().len(), components * tuples);
        if found != needed {
            return refuse(format!(
                "{place} field '{name}' has {found} values; \
                 {components} components for each of {tuples} {place}s need {needed}"
            ));
        }
        if !names.is_empty() && names.len() != components {
            return refuse(format!(
                "{place} field '{name}' has {components} components but the names {names:?}; \
                 name all or none"
            ));
        }
    }
    Ok(())
}

fn refuse(message: String) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

fn write_document(out: &mut dyn Write, grid: &Grid, frame: &VtuFrame) -> io::Result<()> {
    let time = [frame.time];
    let mut document = DocumentDraft::new(frame.units);
    document.line(r#"<?xml version="1.0"?>"#);
    document.line(concat!(
        r#"<VTKFile type="UnstructuredGrid" version="1.0" "#,
        r#"byte_order="LittleEndian" header_type="UInt64">"#
    ));
    document.line("<UnstructuredGrid>");
    document.line("<FieldData>");
    let clock = document.unit_of(Some(Dimension::Time));
    document.array(r#"Name="TimeValue" NumberOfTuples="1""#, clock, ArrayValues::Reals(&time));
    let units = frame.units.as_bytes();
    if !units.is_empty() {
        let attributes = format!(r#"Name="units" NumberOfTuples="{}""#, units.len());
        document.array(&attributes, None, ArrayValues::Bytes(units));
    }
    document.line("</FieldData>");
    let (points, cells) = (grid.points.len(), grid.cell_types.len());
    document.line(&format!(r#"<Piece NumberOfPoints="{points}" NumberOfCells="{cells}">"#));
    document.fields("PointData", frame.point_data);
    document.fields("CellData", frame.cell_data);
    document.line("<Points>");
    let (attributes, length) =
        (r#"Name="Points" NumberOfComponents="3""#, document.unit_of(Some(Dimension::Length)));
    document.array(attributes, length, ArrayValues::Reals(grid.points.as_flattened()));
    document.line("</Points>");
    document.line("<Cells>");
    document.array(r#"Name="connectivity""#, None, ArrayValues::Indices(grid.connectivity));
    // VTK wants where each cell ends
    document.array(r#"Name="offsets""#, None, ArrayValues::Indices(&grid.offsets[1..]));
    document.array(r#"Name="types""#, None, ArrayValues::Bytes(grid.cell_types));
    document.line("</Cells>");
    document.line("</Piece>");
    document.line("</UnstructuredGrid>");
    document.write(out)
}

/// The XML header so far, and the arrays it has promised for the appended block.
struct DocumentDraft<'a> {
    /// The header, cut where the offset of each array goes: one piece more than there are arrays.
    pieces: Vec<String>,
    blocks: Vec<ArrayValues<'a>>,
    /// Where the case's units are known ones.
    units: Option<Units>,
}

impl<'a> DocumentDraft<'a> {
    fn new(units: &str) -> Self {
        Self { pieces: vec![String::new()], blocks: Vec::new(), units: Units::parse(units) }
    }

    fn put(&mut self, text: &str) {
        if let Some(piece) = self.pieces.last_mut() {
            piece.push_str(text);
        }
    }

    fn line(&mut self, text: &str) {
        self.put(text);
        self.put("\n");
    }

    fn fields(&mut self, section: &str, fields: &[Field<'a>]) {
        self.line(&format!("<{section}>"));
        for field in fields {
            let mut attributes = format!(r#"Name="{}""#, escape(field.name));
            if field.components > 1 {
                attributes.push_str(&format!(r#" NumberOfComponents="{}""#, field.components));
            }
            for (index, name) in field.component_names.iter().enumerate() {
                attributes.push_str(&format!(r#" ComponentName{index}="{}""#, escape(name)));
            }
            self.array(&attributes, self.unit_of(field.dimension), field.values.block());
        }
        self.line(&format!("</{section}>"));
    }

    fn unit_of(&self, dimension: Option<Dimension>) -> Option<String> {
        self.units.as_ref().zip(dimension).map(|(units, dimension)| units.of(dimension))
    }

    fn array(&mut self, attributes: &str, unit: Option<String>, block: ArrayValues<'a>) {
        let number = block.number_type();
        self.put(&format!(r#"<DataArray type="{number}" {attributes} format="appended" offset=""#));
        self.blocks.push(block);
        self.pieces.push(String::new());
        self.line(&match unit {
            Some(unit) => format!(
                r#""><InformationKey name="UNITS_LABEL" location="vtkDataArray">{}</InformationKey></DataArray>"#,
                escape(&unit)
            ),
            None => r#""/>"#.into(),
        });
    }

    /// The header with all offsets: an array lies behind those that are declared after it.
    fn header(&self) -> String {
        let mut offset: u64 = self.blocks.iter().map(|block| block.bytes_with_size()).sum();
        let mut header = self.pieces[0].clone();
        for (block, piece) in self.blocks.iter().zip(&self.pieces[1..]) {
            offset -= block.bytes_with_size();
            header.push_str(&offset.to_string());
            header.push_str(piece);
        }
        header
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.header().as_bytes())?;
        out.write_all(b"<AppendedData encoding=\"raw\">\n_")?;
        for block in self.blocks.iter().rev() {
            block.write(out)?;
        }
        out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
    }
}

impl<'a> FieldValues<'a> {
    fn block(self) -> ArrayValues<'a> {
        match self {
            FieldValues::Reals(values) => ArrayValues::Reals(values),
            FieldValues::Integers(values) => ArrayValues::Integers(values),
            FieldValues::Marks(values) => ArrayValues::Bytes(values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const POINTS: [[f64; 3]; 4] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0 / 3.0, 0.0], [0.0, 1.0, 0.0]];
    const SQUARE: Grid = Grid {
        points: &POINTS,
        connectivity: &[0, 1, 2, 0, 2, 3],
        offsets: &[0, 3, 6],
        cell_types: &[5, 5],
    };
    const EMPTY: VtuFrame =
        VtuFrame { time: 0.0, units: "mm, ms, g", point_data: &[], cell_data: &[] };

    /// A path in the system's temporary folder; the file is removed at the end of the test.
    struct VtuFile(PathBuf);

    impl VtuFile {
        fn new(name: &str) -> Self {
            let process = std::process::id();
            VtuFile(std::env::temp_dir().join(format!("delassus-{name}-{process}.vtu")))
        }
    }

    impl Drop for VtuFile {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    /// The bytes of the array `name`, found as VTK does: by its offset, then its size.
    fn array_bytes<'a>(file: &'a [u8], name: &str, number_type: &str) -> &'a [u8] {
        let marker = b"<AppendedData encoding=\"raw\">\n_";
        let header_end = file.windows(marker.len()).position(|bytes| bytes == marker).unwrap();
        let header = std::str::from_utf8(&file[..header_end]).unwrap();
        let declaration = header
            .lines()
            .find(|line| line.contains(&format!("Name=\"{name}\"")))
            .unwrap_or_else(|| panic!("no array '{name}' in the header"));
        assert!(declaration.contains(&format!("type=\"{number_type}\"")), "{declaration}");
        let offset = declaration.split("offset=\"").nth(1).unwrap().split('"').next().unwrap();
        let start = header_end + marker.len() + offset.parse::<usize>().unwrap();
        let (size, data) = file[start..].split_first_chunk::<8>().unwrap();
        &data[..u64::from_le_bytes(*size) as usize]
    }

    fn reals(bytes: &[u8]) -> Vec<f64> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        assert!(rest.is_empty());
        numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
    }

    fn integers(bytes: &[u8]) -> Vec<i32> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        assert!(rest.is_empty());
        numbers.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect()
    }

    #[test]
    fn every_array_is_found_bit_for_bit_at_its_declared_offset() {
        let scratch = VtuFile::new("round-trip");
        let displacement: Vec<f64> = (0..12).map(|i| 0.1 * f64::from(i)).collect();
        let status = [-1, 0, 1, 2];
        let stress: Vec<f64> = (0..12).map(|i| -1.0 / f64::from(i + 1)).collect();
        let frame = VtuFrame {
            time: 0.1 + 0.2,
            units: "m, s, kg",
            point_data: &[
                Field::vector("displacement", &displacement),
                Field::integer("contact_status", &status),
            ],
            cell_data: &[Field::symmetric_tensor("stress", &stress)],
        };
        write_vtu(&scratch.0, &SQUARE, &frame).unwrap();

        let file = std::fs::read(&scratch.0).unwrap();
        assert_eq!(reals(array_bytes(&file, "TimeValue", "Float64")), [0.1 + 0.2]);
        assert_eq!(array_bytes(&file, "units", "UInt8"), b"m, s, kg");
        assert_eq!(reals(array_bytes(&file, "displacement", "Float64")), displacement);
        assert_eq!(integers(array_bytes(&file, "contact_status", "Int32")), status);
        assert_eq!(reals(array_bytes(&file, "stress", "Float64")), stress);
        assert_eq!(reals(array_bytes(&file, "Points", "Float64")), POINTS.as_flattened());
        assert_eq!(integers(array_bytes(&file, "connectivity", "Int32")), [0, 1, 2, 0, 2, 3]);
        assert_eq!(integers(array_bytes(&file, "offsets", "Int32")), [3, 6]);
        assert_eq!(array_bytes(&file, "types", "UInt8"), [5, 5]);
        assert!(file.ends_with(b"\n</AppendedData>\n</VTKFile>\n"));
    }

    #[test]
    fn the_header_names_the_components_of_vectors_and_tensors() {
        let mut document = DocumentDraft::new("");
        document.fields("CellData", &[Field::symmetric_tensor("stress", &[0.0; 6])]);
        assert_eq!(
            document.header(),
            "<CellData>\n<DataArray type=\"Float64\" Name=\"stress\" NumberOfComponents=\"6\" \
             ComponentName0=\"xx\" ComponentName1=\"yy\" ComponentName2=\"zz\" \
             ComponentName3=\"xy\" ComponentName4=\"yz\" ComponentName5=\"xz\" \
             format=\"appended\" offset=\"0\"/>\n</CellData>\n"
        );
    }

    #[test]
    fn units_stand_where_vtk_looks_for_them() {
        let gap = Field::scalar("gap", &[0.0]).of(Dimension::Length);
        let header = |units: &str| {
            let mut document = DocumentDraft::new(units);
            document.fields("PointData", &[gap]);
            document.header()
        };
        let known = header("mm, ms, g");
        let key =
            r#"<InformationKey name="UNITS_LABEL" location="vtkDataArray">mm</InformationKey>"#;
        assert!(known.contains(&format!("{key}</DataArray>")), "{known}");
        assert!(!header("furlongs").contains("UNITS_LABEL"));
    }

    /// meshio 5.3 takes the first tag whose offset is the next one, and has put offsets of its own into those
    /// before: of tags that it has not met yet, one must come first.
    #[test]
    fn arrays_lie_in_the_block_in_reverse_of_their_declaration() {
        let mut document = DocumentDraft::new("");
        let values = [0.0; 5];
        let fields = ["a", "b", "c"].map(|name| Field::scalar(name, &values));
        document.fields("PointData", &fields);
        let header = document.header();
        let offsets: Vec<&str> = header.split("offset=\"").skip(1).collect();
        let offsets: Vec<&str> = offsets.iter().filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(offsets, ["96", "48", "0"]);
    }

    fn refusal(grid: &Grid, frame: &VtuFrame) -> String {
        let scratch = VtuFile::new("refused");
        let error = write_vtu(&scratch.0, grid, frame).unwrap_err();
        assert!(!scratch.0.exists());
        error.to_string()
    }

    #[test]
    fn arrays_that_do_not_fit_the_grid_are_refused_with_both_numbers() {
        let frame = VtuFrame { point_data: &[Field::scalar("gap", &[0.0; 3])], ..EMPTY };
        assert_eq!(
            refusal(&SQUARE, &frame),
            "point field 'gap' has 3 values; 1 components for each of 4 points need 4"
        );
        let misnamed = Field { component_names: &["xx"], ..Field::vector("strain", &[0.0; 6]) };
        assert_eq!(
            refusal(&SQUARE, &VtuFrame { cell_data: &[misnamed], ..EMPTY }),
            "cell field 'strain' has 3 components but the names [\"xx\"]; name all or none"
        );
    }

    #[test]
    fn a_grid_that_would_crash_a_reader_is_refused() {
        let stray = Grid { connectivity: &[0, 1, 2, 0, 2, 4], ..SQUARE };
        assert_eq!(
            refusal(&stray, &EMPTY),
            "a cell names point 4; the grid has 4 points, counted from 0"
        );
        let short = Grid { offsets: &[0, 3], ..SQUARE };
        assert_eq!(refusal(&short, &EMPTY), "grid has 2 offsets for 2 cells; give 3");
        let open = Grid { offsets: &[0, 3, 5], ..SQUARE };
        assert_eq!(
            refusal(&open, &EMPTY),
            "grid offsets run from 0 to 5; they must run from 0 to 6"
        );
        let falling = Grid { offsets: &[0, 7, 6], ..SQUARE };
        assert_eq!(refusal(&falling, &EMPTY), "grid offsets decrease at cell 1; they must ascend");
    }
}
