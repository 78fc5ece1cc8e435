//! `contacts.csv`, row by row.

use std::path::Path;

use super::vtu::FrameData;
use crate::energy::{ContactWork, Term, TermClass};
use crate::error::Error;
use crate::output::Table;

/// What one candidate did over the whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRow {
    /// Name of its contact set.
    pub contact: String,
    /// Its node, as the mesh file numbers it; 0 where it is none.
    pub node: u64,
    /// Where it was at the start.
    pub point: [f64; 3],
    /// Works in all.
    pub work: ContactWork,
    /// Normal impulse in all.
    pub normal_impulse: f64,
    /// How often it closed.
    pub closings: u64,
    /// Steps in stick.
    pub stick_steps: u64,
    /// Steps in slip.
    pub slip_steps: u64,
    /// Face of the obstacle, from 1; 0 where it is one surface.
    pub face: u64,
}

impl ContactRow {
    /// Its contact set, with the face where there are several.
    pub fn surface(&self) -> String {
        match self.face {
            0 => self.contact.clone(),
            face => format!("{}, face {face}", self.contact),
        }
    }
}

/// All candidates, in the order of the frames of `contacts.pvd`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidateList {
    /// Dimension of the space.
    pub dimension: usize,
    /// One per candidate.
    pub rows: Vec<ContactRow>,
}

impl CandidateList {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let table = Table::read(path)?;
        let axes: Vec<usize> =
            ["x", "y", "z"].iter().map_while(|axis| table.column(axis).ok()).collect();
        let [node, impulse, closings, stick, slip] = [
            table.column("node")?,
            table.column("normal_impulse")?,
            table.column("closings")?,
            table.column("stick_steps")?,
            table.column("slip_steps")?,
        ];
        let of_contact = |term: Term| Some((term, term.line().of_contact?));
        let works = Term::of(TermClass::Contact).filter_map(of_contact);
        let works: Vec<(Term, usize)> = works
            .map(|(term, column)| Ok((term, table.column(column)?)))
            .collect::<Result<_, Error>>()?;
        // Files of earlier versions have none.
        let face = table.column("face").ok();
        let row = |(numbers, name): (&Vec<f64>, &String)| ContactRow {
            contact: name.clone(),
            node: numbers[node] as u64,
            point: [0, 1, 2].map(|i| axes.get(i).map_or(0.0, |&axis| numbers[axis])),
            work: ContactWork::new(works.iter().map(|&(term, at)| (term, numbers[at])), 0.0),
            normal_impulse: numbers[impulse],
            closings: numbers[closings] as u64,
            stick_steps: numbers[stick] as u64,
            slip_steps: numbers[slip] as u64,
            face: face.map_or(0, |face| numbers[face] as u64),
        };
        let rows = table.rows.iter().zip(&table.names).map(row).collect();
        Ok(Self { dimension: axes.len(), rows })
    }

    /// Of a run that has not written the file: places in its first frame, which has no contacts between bodies behind the
    /// candidates, works up to its last one, of contact sets with these names. Nodes, impulses and counts are not known. None where the frames are of others.
    pub fn of_frames(first: &FrameData, last: &FrameData, names: &[&str]) -> Option<Self> {
        let (set, normal) = (first.point("contact_set")?, first.point("normal")?);
        let works = [last.point("normal_work_total")?, last.point("tangential_work_total")?];
        let count = first.points.len();
        if normal.components != 3 || works.iter().any(|work| work.values.len() < count) {
            return None;
        }
        let upright = normal.values.chunks_exact(3).all(|n| n[2] == 0.0);
        let flat = upright && first.points.iter().all(|point| point[2] == 0.0);
        let row = |(c, &point): (usize, &[f64; 3])| {
            Some(ContactRow {
                contact: names.get(*set.values.get(c)? as usize)?.to_string(),
                node: 0,
                point,
                work: ContactWork::new(
                    [(Term::Normal, works[0].values[c]), (Term::Tangential, works[1].values[c])],
                    0.0,
                ),
                normal_impulse: 0.0,
                closings: 0,
                stick_steps: 0,
                slip_steps: 0,
                face: 0,
            })
        };
        let rows: Option<Vec<ContactRow>> = first.points.iter().enumerate().map(row).collect();
        Some(Self { dimension: if flat { 2 } else { 3 }, rows: rows? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_and_quotes_are_read_back() {
        let path = std::env::temp_dir().join(format!("delassus_rows_{}.csv", std::process::id()));
        let header = "contact,node,x,y,normal_work,tangential_work,normal_impulse,tangential_impulse,closings,stick_steps,slip_steps\n";
        let row = "\"a \"\"b\"\", c\",7,1.5,0.0,-1.0,-2.0,3.0,0.5,4,5,6\n";
        std::fs::write(&path, format!("{header}{row}")).unwrap();
        let contacts = CandidateList::read(&path).unwrap();
        let expected = ContactRow {
            contact: "a \"b\", c".into(),
            node: 7,
            point: [1.5, 0.0, 0.0],
            work: ContactWork::new([(Term::Normal, -1.0), (Term::Tangential, -2.0)], 0.0),
            normal_impulse: 3.0,
            closings: 4,
            stick_steps: 5,
            slip_steps: 6,
            face: 0,
        };
        assert_eq!((contacts.dimension, &contacts.rows[..]), (2, &[expected][..]));
        std::fs::remove_file(&path).unwrap();
    }
}
