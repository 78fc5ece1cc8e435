//! A `.pvd` and the frames it names.

use std::path::{Component, Path, PathBuf};

use super::tags::{Tag, tags};
use super::vtu::FrameData;
use crate::error::Error;

/// The frames of a run: times and files. Loaded one at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    collection: PathBuf,
    times: Vec<f64>,
    files: Vec<PathBuf>,
}

impl Frames {
    /// Reads the collection `name` of a results folder, `fields.pvd`, `contacts.pvd` or `obstacles.pvd`.
    ///
    /// # Errors
    /// A file that cannot be read, or that no run wrote.
    pub fn read(folder: &Path, name: &str) -> Result<Self, Error> {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path)
            .map_err(|source| Error::Read { path: path.clone(), source })?;
        let complain = |message: String| Error::Results { path: path.clone(), message };
        let tags = tags(&text).map_err(|byte| complain(not_ours(&format!("byte {byte}"))))?;
        let is_collection =
            |tag: &Tag| tag.name == "VTKFile" && tag.get("type") == Some("Collection");
        if !tags.iter().any(is_collection) || tags.last().is_none_or(|tag| tag.name != "/VTKFile") {
            return Err(complain(not_ours("its first or last line")));
        }
        let entries = tags.iter().filter(|tag| tag.name == "DataSet").enumerate();
        let mut frames = Self { collection: path.clone(), times: Vec::new(), files: Vec::new() };
        for (k, tag) in entries {
            let (time, file) =
                entry(tag).ok_or_else(|| complain(not_ours(&format!("frame {k}"))))?;
            frames.times.push(time);
            frames.files.push(folder.join(file));
        }
        Ok(frames)
    }

    /// Time of each frame.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The first `count` of them, or all: another collection of a run that is going may be one behind.
    pub fn up_to(mut self, count: usize) -> Self {
        self.times.truncate(count);
        self.files.truncate(count);
        self
    }

    /// Reads frame `k`, counted from 0.
    ///
    /// # Errors
    /// A file that cannot be read, or that no run wrote.
    pub fn load(&self, k: usize) -> Result<FrameData, Error> {
        match self.files.get(k) {
            Some(file) => FrameData::read(file),
            None => Err(Error::Results {
                path: self.collection.clone(),
                message: format!("there is no frame {k}; it has {}, counted from 0", self.len()),
            }),
        }
    }
}

impl Frames {
    /// What is wrong with frame `k`.
    pub(crate) fn complaint(&self, k: usize, message: String) -> Error {
        let path = self.files.get(k).unwrap_or(&self.collection).clone();
        Error::Results { path, message }
    }
}

fn not_ours(place: &str) -> String {
    format!("{place} is not what a run writes; is the file damaged? run the case again")
}

/// Time and file of a frame; the file lies beneath the collection.
fn entry(tag: &Tag) -> Option<(f64, &Path)> {
    let time = tag.get("timestep")?.parse().ok().filter(|time: &f64| time.is_finite())?;
    let file = Path::new(tag.get("file")?);
    let within = file.components().all(|part| matches!(part, Component::Normal(_)));
    within.then_some((time, file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Collection;

    fn scratch(name: &str) -> PathBuf {
        let path =
            std::env::temp_dir().join(format!("delassus_frames_{name}_{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn times_and_files_are_those_that_were_written() {
        let folder = scratch("round_trip");
        let mut collection = Collection::new();
        collection.push(0.0, "fields/a & b.vtu");
        collection.push(0.1 + 0.2, "fields/1.vtu");
        collection.write(&folder.join("fields.pvd")).unwrap();
        let frames = Frames::read(&folder, "fields.pvd").unwrap();
        assert_eq!(frames.times(), [0.0, 0.1 + 0.2]);
        assert_eq!(frames.files[0], folder.join("fields/a & b.vtu"));
        let missing = frames.load(2).unwrap_err().to_string();
        assert!(missing.ends_with("there is no frame 2; it has 2, counted from 0"), "{missing}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_collection_that_leads_out_of_its_folder_or_is_cut_is_refused() {
        let folder = scratch("refused");
        let refusal = |text: &str| {
            std::fs::write(folder.join("fields.pvd"), text).unwrap();
            let error = Frames::read(&folder, "fields.pvd").unwrap_err();
            assert_eq!(error.exit_code(), 2);
            error.to_string()
        };
        let with =
            |entry: &str| format!("<VTKFile type=\"Collection\"><DataSet {entry}/></VTKFile>");
        for entry in [
            "timestep=\"0\" file=\"../secret.vtu\"",
            "timestep=\"0\" file=\"/etc/hosts\"",
            "timestep=\"NaN\" file=\"0.vtu\"",
            "file=\"0.vtu\"",
        ] {
            let message = refusal(&with(entry));
            assert!(message.contains("frame 0 is not what a run writes"), "{entry}: {message}");
        }
        assert!(refusal("<VTKFile type=\"Collection\">").contains("first or last line"));
        assert!(refusal("<VTKFile type=\"Coll").contains("byte 1 is not"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
