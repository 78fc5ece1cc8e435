//! The `.pvd` collection: which `.vtu` belongs to which time. This is the file to open in ParaView.

use super::atomic::write_whole;
use super::xml::escape;
use std::io::{self, Write};
use std::path::Path;

/// A time series of files, in the order they were pushed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Collection {
    entries: Vec<(f64, String)>,
}

impl Collection {
    /// A series without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `file`, a path relative to the collection with `/` between folders, at `time`.
    pub fn push(&mut self, time: f64, file: impl Into<String>) {
        self.entries.push((time, file.into()));
    }

    /// The files and their times.
    pub fn entries(&self) -> &[(f64, String)] {
        &self.entries
    }

    /// Writes the collection to `path`, whole or not at all.
    ///
    /// # Errors
    /// What the file system refuses.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_whole(path, |out| self.write_xml(out))
    }

    fn write_xml(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, r#"<?xml version="1.0"?>"#)?;
        writeln!(out, r#"<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">"#)?;
        writeln!(out, "  <Collection>")?;
        for (time, file) in &self.entries {
            // {:?} prints the shortest decimal that reads back to the same bits
            let file = escape(file);
            writeln!(out, r#"    <DataSet timestep="{time:?}" part="0" file="{file}"/>"#)?;
        }
        writeln!(out, "  </Collection>\n</VTKFile>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes<'a>(xml: &'a str, name: &str) -> Vec<&'a str> {
        let opening = format!("{name}=\"");
        let starts = xml.split(opening.as_str()).skip(1);
        starts.filter_map(|rest| rest.split('"').next()).collect()
    }

    #[test]
    fn times_read_back_to_the_same_bits() {
        let times = [0.0, 0.1 + 0.2, 1.0 / 3.0, 1e-7, 123_456.789e12];
        let mut collection = Collection::new();
        for (index, &time) in times.iter().enumerate() {
            collection.push(time, format!("fields/{index:06}.vtu"));
        }
        let mut xml = Vec::new();
        collection.write_xml(&mut xml).unwrap();
        let xml = String::from_utf8(xml).unwrap();

        let read: Vec<f64> =
            attributes(&xml, "timestep").iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(read, times);
        assert_eq!(attributes(&xml, "file")[4], "fields/000004.vtu");
    }

    #[test]
    fn a_file_name_with_markup_stays_one_attribute() {
        let mut collection = Collection::new();
        collection.push(0.0, "steel & \"rubber\"/0.vtu");
        let mut xml = Vec::new();
        collection.write_xml(&mut xml).unwrap();
        let xml = String::from_utf8(xml).unwrap();
        assert_eq!(attributes(&xml, "file"), ["steel &amp; &quot;rubber&quot;/0.vtu"]);
    }
}
