//! Poses of bodies, from a table of comma-separated values.

use std::fs::File;
use std::io::Read;

use super::WeightCase;
use super::raw::PosesTable;
use super::read::{BodyReader, Pattern, PatternBody};
use super::turn::{Quaternion, unit_quaternion};
use crate::case::place::did_you_mean;
use crate::case::validate::Checked;
use crate::vector::plus;

/// Bytes of a table at most: a million rows of 256 each.
const LARGEST: u64 = 256 << 20;
const QUATERNION: [&str; 4] = ["qw", "qx", "qy", "qz"];
/// Columns that are read.
const KNOWN: [&str; 10] = ["shape", "mass", "x", "y", "z", "angle", "qw", "qx", "qy", "qz"];

/// A body of a row.
#[derive(Clone, Copy, Debug)]
struct Pose {
    place: [f64; 3],
    angle: Option<f64>,
    rotation: Option<Quaternion>,
    mass: Option<f64>,
}

/// The rows of a file, those that are asked for.
pub(super) struct Poses {
    rows: Vec<Pose>,
    /// 2, or 3 where there is a column z.
    pub dimension: usize,
    pub has_rotations: bool,
    pub has_masses: bool,
}

/// Where the columns are.
struct PoseColumns {
    place: Vec<usize>,
    angle: Option<usize>,
    rotation: Option<Vec<usize>>,
    mass: Option<usize>,
    shape: Option<usize>,
}

/// What is wrong with a table.
type PoseResult<T> = Result<T, String>;

impl Poses {
    pub fn read(reader: &BodyReader, table: &PosesTable) -> Checked<Self> {
        let complain = |message: String| {
            let message = format!("{}: {message}", table.file);
            reader.error("poses.file", message)
        };
        let path = reader.check.beside(&table.file);
        let mut text = String::new();
        let read =
            File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text));
        let unread = "the path is relative to the case file, and it must be UTF-8 text";
        let bytes = read.map_err(|e| complain(format!("cannot be read: {e}; {unread}")))?;
        if bytes as u64 > LARGEST {
            return Err(complain("is larger than 256 MiB; split it".into()));
        }
        Self::parse(&text, table.only.as_deref()).map_err(complain)
    }

    fn parse(text: &str, only: Option<&str>) -> PoseResult<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let rows = text.lines().enumerate().filter(|(_, row)| !row.trim().is_empty());
        let mut rows = rows.map(|(at, row)| (at + 1, cells(row)));
        let (_, header) = rows.next().ok_or("is empty; give a header and a row for each body")?;
        let columns = PoseColumns::find(&header, only.is_some())?;
        let (mut poses, mut passed_over) = (Vec::new(), Vec::new());
        for (row, cells) in rows {
            let row = PoseRow { header: &header, row, cells: &cells };
            if let (Some(only), Some(shape)) = (only, columns.shape) {
                let shape = row.cell(shape)?;
                if shape != only {
                    if !passed_over.iter().any(|known| known == shape) && passed_over.len() < 20 {
                        passed_over.push(shape.to_string());
                    }
                    continue;
                }
            }
            poses.push(row.pose(&columns)?);
        }
        match (poses.is_empty(), only) {
            (true, Some(only)) => {
                let names = passed_over.iter().map(String::as_str);
                let hint = did_you_mean(only, names)
                    .map_or(String::new(), |near| format!("; did you mean '{near}'?"));
                let known = passed_over.join(", ");
                Err(format!("no row has the shape '{only}'; there are: {known}{hint}"))
            }
            (true, None) => Err("has no row; give one for each body".into()),
            (false, _) => Ok(Self {
                rows: poses,
                dimension: columns.place.len(),
                has_rotations: columns.rotation.is_some(),
                has_masses: columns.mass.is_some(),
            }),
        }
    }
}

impl PoseColumns {
    fn find(header: &[&str], asks_for_shape: bool) -> PoseResult<Self> {
        let find = |name: &str| header.iter().position(|own| *own == name);
        let again = |(at, own): (usize, &&str)| KNOWN.contains(own) && find(own) != Some(at);
        if let Some(at) = header.iter().enumerate().position(again) {
            return Err(format!(
                "the header has the column '{}' twice; keep one of them",
                header[at]
            ));
        }
        let need = |name: &str| {
            let known = header.join(", ");
            find(name).ok_or_else(|| format!("the header has no column '{name}'; it has: {known}"))
        };
        let mut place = vec![need("x")?, need("y")?];
        place.extend(find("z"));
        let turns = QUATERNION.iter().any(|name| find(name).is_some());
        if turns && place.len() < 3 {
            need("z")?;
        }
        let rotation = QUATERNION.iter().map(|name| need(name));
        Ok(Self {
            angle: find("angle").filter(|_| place.len() == 2),
            rotation: if turns { Some(rotation.collect::<PoseResult<_>>()?) } else { None },
            mass: find("mass"),
            shape: if asks_for_shape { Some(need("shape")?) } else { None },
            place,
        })
    }
}

/// A row of the table.
struct PoseRow<'a> {
    header: &'a [&'a str],
    /// Its line in the file.
    row: usize,
    cells: &'a [&'a str],
}

impl<'a> PoseRow<'a> {
    fn cell(&self, column: usize) -> PoseResult<&'a str> {
        self.cells.get(column).copied().ok_or_else(|| {
            let (row, name) = (self.row, self.header[column]);
            format!("line {row} has {} cells and none for the column '{name}'", self.cells.len())
        })
    }

    fn number(&self, column: usize) -> PoseResult<f64> {
        let cell = self.cell(column)?;
        cell.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| {
            let (row, name) = (self.row, self.header[column]);
            format!("line {row}, column '{name}': '{cell}' is not a finite number")
        })
    }

    fn numbers(&self, columns: &[usize]) -> PoseResult<Vec<f64>> {
        columns.iter().map(|&column| self.number(column)).collect()
    }

    /// That no cell is without a column: a decimal comma makes two of a number.
    fn refuse_more_cells(&self) -> PoseResult<()> {
        match self.cells.iter().skip(self.header.len()).find(|cell| !cell.is_empty()) {
            Some(cell) => Err(format!(
                "line {} has {} cells and the header {} columns: '{cell}' is in none; decimals have points, and commas part cells",
                self.row,
                self.cells.len(),
                self.header.len()
            )),
            None => Ok(()),
        }
    }

    fn pose(&self, columns: &PoseColumns) -> PoseResult<Pose> {
        self.refuse_more_cells()?;
        let mut place = [0.0; 3];
        place[..columns.place.len()].copy_from_slice(&self.numbers(&columns.place)?);
        let unit = |columns: &Vec<usize>| {
            let told = |message| format!("line {}, columns qw to qz: {message}", self.row);
            unit_quaternion(&self.numbers(columns)?).map_err(told)
        };
        let mass = columns.mass.map(|column| match self.number(column)? {
            mass if mass > 0.0 => Ok(mass),
            mass => Err(format!("line {}, column 'mass': {mass:?} is not > 0", self.row)),
        });
        Ok(Pose {
            place,
            angle: columns.angle.map(|column| self.number(column)).transpose()?,
            rotation: columns.rotation.as_ref().map(unit).transpose()?,
            mass: mass.transpose()?,
        })
    }
}

impl BodyReader<'_> {
    /// The bodies of the rows, moved by `position`; masses where the table has none.
    pub(super) fn posed<'p>(&self, poses: &'p Poses) -> Pattern<'p> {
        let has_own = self.table.mass.is_some() || self.table.density.is_some();
        let origin = self.position;
        let single = move |pose: &Pose| PatternBody {
            angle: pose.angle,
            rotation: pose.rotation,
            weight: pose.mass.filter(|_| !has_own).map(WeightCase::Mass),
            ..PatternBody::at(plus(origin, pose.place))
        };
        Pattern { count: poses.rows.len() as u128, bodies: Box::new(poses.rows.iter().map(single)) }
    }
}

fn cells(row: &str) -> Vec<&str> {
    row.split(',').map(|cell| cell.trim().trim_matches('"').trim()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "shape,mass,z,x,y,note,qw,qx,qy,qz\n";

    #[test]
    fn columns_stand_in_any_order_and_rows_are_picked_by_their_shape() {
        let text = format!(
            "\u{feff}{HEADER}Box, 2.0, 3, 1, 2, a, 1, 0, 0, 0\r\n\nTetra,1,0,0,0,b,1,0,0,0\n\"Box\",4,6,4,5,c,0,0.6,0.8,0\n"
        );
        let poses = Poses::parse(&text, Some("Box")).unwrap();
        let places: Vec<[f64; 3]> = poses.rows.iter().map(|pose| pose.place).collect();
        assert_eq!(places, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert_eq!((poses.rows[1].mass, poses.dimension), (Some(4.0), 3));
        assert_eq!(poses.rows[1].rotation, Some([0.0, 0.6, 0.8, 0.0]));
        assert_eq!(Poses::parse(&text, None).unwrap().rows.len(), 3);
        let plane = Poses::parse("y,angle,x\n1,0.5,2\n", None).unwrap();
        assert_eq!((plane.rows[0].place, plane.rows[0].angle), ([2.0, 1.0, 0.0], Some(0.5)));
        assert_eq!((plane.dimension, plane.has_rotations, plane.has_masses), (2, false, false));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_column_and_value() {
        let row = |row: &str| format!("{HEADER}Box,1,0,0,0,a,1,0,0,0\n{row}\n");
        let wrong: [(String, Option<&str>, &str); 11] = [
            (
                row("Box,1,0,0,zero,a,1,0,0,0"),
                None,
                "line 3, column 'y': 'zero' is not a finite number",
            ),
            (
                row("Box,1,nan,0,0,a,1,0,0,0"),
                None,
                "line 3, column 'z': 'nan' is not a finite number",
            ),
            (row("Box,1,0,0,0,a,1,0,0"), None, "line 3 has 9 cells and none for the column 'qz'"),
            (
                row("Box,1,0,0,0,a,1,0,0,1"),
                None,
                "line 3, columns qw to qz: [1.0, 0.0, 0.0, 1.0] has the norm 1.41421",
            ),
            (row("Box,-1,0,0,0,a,1,0,0,0"), None, "line 3, column 'mass': -1.0 is not > 0"),
            (
                row(""),
                Some("box"),
                "no row has the shape 'box'; there are: Box; did you mean 'Box'?",
            ),
            ("x,y,qw\n0,0,1\n".into(), None, "the header has no column 'z'; it has: x, y, qw"),
            (
                "x,y,z\n0,0,1\n".into(),
                Some("Box"),
                "the header has no column 'shape'; it has: x, y, z",
            ),
            ("x,y\n".into(), None, "has no row; give one for each body"),
            ("x,y,x\n0,0,1\n".into(), None, "the header has the column 'x' twice"),
            (
                "x,y\n0,5,1\n".into(),
                None,
                "line 2 has 3 cells and the header 2 columns: '1' is in none",
            ),
        ];
        for (text, only, says) in wrong {
            let Err(said) = Poses::parse(&text, only) else { panic!("{text} is read") };
            assert!(said.contains(says), "{said}");
        }
        assert!(Poses::parse("", None).is_err());
    }
}
