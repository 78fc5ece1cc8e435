//! A study on more than one machine: a Slurm job array, one task per run, and a job that gathers after it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Ready, Study, table};
use crate::error::Error;
use crate::simulation::predicted_memory;

/// What the scripts ask for.
#[derive(Clone, Debug)]
pub struct SlurmRequest {
    /// The program.
    pub program: PathBuf,
    /// The study, absolute.
    pub study: PathBuf,
    /// The folder of the study, absolute.
    pub out: PathBuf,
    /// Options of sbatch for both jobs, as `--partition=long`.
    pub options: Vec<String>,
}

/// One submission of the array: runs `first + i` for the indices i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlurmArray {
    /// What is added to an index of the array.
    pub first: usize,
    /// As `--array` has them: `1-5,9`.
    pub indices: String,
}

/// Scripts that are written and wait to be submitted.
#[derive(Clone, Debug)]
pub struct Scripts {
    /// Of the array.
    pub array: PathBuf,
    /// Of what comes after.
    pub gather: PathBuf,
    /// Submissions of the array.
    pub arrays: Vec<SlurmArray>,
    /// Runs at a time, where the study says so.
    limit: Option<usize>,
}

/// Ids of jobs that were submitted.
#[derive(Clone, Debug)]
pub struct Jobs {
    /// Arrays.
    pub arrays: Vec<String>,
    /// What gathers after them.
    pub gather: String,
}

/// Indices of an array lie below this number unless the cluster says otherwise (Slurm's own default).
const MAX_ARRAY_SIZE: usize = 1001;
/// What a process takes beside factor and contact operator: program, mesh, matrices of small cases.
const BASE_MEMORY: usize = 256 << 20;
/// Bytes of a run for each byte of factor and contact operator: 1.7 at a million dofs in the plane, less in space
/// (docs/src/scale.md).
const MEMORY_FACTOR: usize = 2;

impl SlurmRequest {
    /// An error where a script cannot say it: each option stands on a line, and paths are text.
    pub fn check(&self) -> Result<(), Error> {
        for option in &self.options {
            let complain = |what: &str| {
                let message = format!("--sbatch-option {option:?}: it {what}");
                Err(Error::Usage(format!("{message}; give one option, as partition=long")))
            };
            if option.contains(char::is_control) {
                return complain("holds a control character");
            }
            if option.trim_start_matches('-').trim().is_empty() {
                return complain("is empty");
            }
        }
        // Slurm reads the path of a log between quotes, up to the end of the line; a backslash would change its %A.
        let odd = |c: char| c.is_control() || "\"\\".contains(c);
        let paths = [("the program", &self.program), ("the study", &self.study)];
        let unsaid = paths.into_iter().find(|(_, path)| path.to_str().is_none());
        let is_odd = self.out.to_str().is_none_or(|out| out.contains(odd));
        match unsaid.or(is_odd.then_some(("--out", &self.out))) {
            None => Ok(()),
            Some((what, path)) => {
                let message = "a Slurm script cannot name it; give a plainer path";
                Err(Error::Usage(format!("{what}: {path:?}: {message}")))
            }
        }
    }
}

impl Study {
    /// Writes `study.sbatch` and `gather.sbatch` into `out` for the runs that are to be taken.
    pub fn write_scripts(&self, runs: &[&Ready], request: &SlurmRequest) -> Result<Scripts, Error> {
        request.check()?;
        let complain = |source| Error::OutputFolder { path: request.out.clone(), source };
        std::fs::create_dir_all(request.out.join("slurm")).map_err(complain)?;
        let numbers: Vec<usize> = runs.iter().map(|run| run.planned.number).collect();
        let limit = self.budget.parallel_is_given.then_some(self.budget.parallel);
        let scripts = Scripts {
            array: request.out.join("study.sbatch"),
            gather: request.out.join("gather.sbatch"),
            arrays: arrays(&numbers, max_array_size()),
            limit,
        };
        let megabytes = (BASE_MEMORY + MEMORY_FACTOR * largest_prediction(runs)?).div_ceil(1 << 20);
        let threads = self.budget.threads.unwrap_or(1);
        let name = &self.name;
        let array = format!(
            "{}#SBATCH --cpus-per-task={threads}\n#SBATCH --mem={megabytes}M\n\n\
             # The argument is added to the indices: arrays longer than the cluster allows come in parts.\n\
             # A task that is started again goes on from its checkpoint.\n\
             exec {} --resume --task \"$((SLURM_ARRAY_TASK_ID + ${{1:-0}}))\" --threads {threads}\n",
            head(&format!("delassus-{name}"), "%A_%a", request),
            call(request)
        );
        let gather = format!(
            "{}#SBATCH --cpus-per-task=1\n#SBATCH --mem=1024M\n\nexec {} --gather\n",
            head(&format!("delassus-{name}-gather"), "gather_%j", request),
            call(request)
        );
        table::write(&request.out, "study.sbatch", array.as_bytes())?;
        table::write(&request.out, "gather.sbatch", gather.as_bytes())?;
        Ok(scripts)
    }
}

impl Scripts {
    /// The arguments of sbatch for part `k` of the array, after part `before`.
    pub fn array_arguments(&self, k: usize, before: Option<&str>) -> Vec<String> {
        let SlurmArray { first, indices } = &self.arrays[k];
        let limit = self.limit.map_or(String::new(), |limit| format!("%{limit}"));
        let mut arguments = vec!["--parsable".to_string(), format!("--array={indices}{limit}")];
        // The limit holds within an array: where there is one, parts follow each other.
        arguments.extend(
            before.filter(|_| self.limit.is_some()).map(|id| format!("--dependency=afterany:{id}")),
        );
        arguments.extend([self.array.display().to_string(), first.to_string()]);
        arguments
    }

    /// The arguments of sbatch for what comes after the arrays.
    pub fn gather_arguments(&self, arrays: &[String]) -> Vec<String> {
        let mut arguments = vec!["--parsable".to_string()];
        if !arrays.is_empty() {
            arguments.push(format!("--dependency=afterany:{}", arrays.join(":")));
        }
        arguments.push(self.gather.display().to_string());
        arguments
    }

    /// Submits all of them.
    pub fn submit(&self) -> Result<Jobs, Error> {
        let mut arrays: Vec<String> = Vec::new();
        for k in 0..self.arrays.len() {
            let before = arrays.last().map(String::as_str);
            arrays.push(sbatch(&self.array_arguments(k, before))?);
        }
        let gather = sbatch(&self.gather_arguments(&arrays))?;
        Ok(Jobs { arrays, gather })
    }
}

/// Submits a job and returns its id.
fn sbatch(arguments: &[String]) -> Result<String, Error> {
    let told = |what: String| {
        Error::Check(format!(
            "sbatch {}: {what}; the scripts stay, see --no-submit",
            arguments.join(" ")
        ))
    };
    let output = Command::new("sbatch").args(arguments).output();
    let output = output.map_err(|error| told(format!("cannot be started: {error}")))?;
    if !output.status.success() {
        return Err(told(String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ")));
    }
    // `id` or `id;cluster`.
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.trim().split(';').next().unwrap_or_default().to_string())
}

/// What the cluster allows, or Slurm's default where it cannot be asked.
fn max_array_size() -> usize {
    let output = Command::new("scontrol").args(["show", "config"]).output().ok();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let line = |text: &String| {
        let line = text.lines().find(|line| line.trim_start().starts_with("MaxArraySize"))?;
        line.split('=').nth(1)?.trim().parse().ok()
    };
    text.as_ref().and_then(line).filter(|size| *size > 1).unwrap_or(MAX_ARRAY_SIZE)
}

/// The runs of ascending `numbers` in as few arrays as their indices, 1 to `size` − 1, allow.
fn arrays(numbers: &[usize], size: usize) -> Vec<SlurmArray> {
    let most = size - 1;
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &number in numbers {
        let first = (number - 1) / most * most;
        parts.entry(first).or_default().push(number - first);
    }
    parts
        .into_iter()
        .map(|(first, indices)| SlurmArray { first, indices: ranges(&indices) })
        .collect()
}

/// `1-3,7` of ascending numbers.
fn ranges(numbers: &[usize]) -> String {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == number => *last = number,
            _ => ranges.push([number, number]),
        }
    }
    let text = |[a, b]: &[usize; 2]| if a == b { a.to_string() } else { format!("{a}-{b}") };
    ranges.iter().map(text).collect::<Vec<String>>().join(",")
}

/// Largest number of bytes that a run will take for factor and contact operator. Runs that differ in numbers
/// alone take as much as each other.
fn largest_prediction(runs: &[&Ready]) -> Result<usize, Error> {
    let mut seen = std::collections::HashSet::new();
    let mut largest = 0;
    for run in runs {
        let shape = without_numbers(toml::Value::Table(run.case.effective()?)).to_string();
        if seen.insert(shape) {
            largest = largest.max(predicted_memory(&run.case)?);
        }
    }
    Ok(largest)
}

fn without_numbers(value: toml::Value) -> toml::Value {
    match value {
        toml::Value::Integer(_) | toml::Value::Float(_) => toml::Value::Integer(0),
        toml::Value::Array(items) => {
            toml::Value::Array(items.into_iter().map(without_numbers).collect())
        }
        toml::Value::Table(table) => {
            let pairs = table.into_iter().map(|(key, value)| (key, without_numbers(value)));
            toml::Value::Table(pairs.collect())
        }
        other => other,
    }
}

/// The first lines of a script.
fn head(name: &str, log: &str, request: &SlurmRequest) -> String {
    // Slurm replaces what follows a %.
    let out = request.out.display().to_string().replace('%', "%%");
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    let mut head = format!(
        "#!/bin/bash\n#SBATCH --job-name={name}\n#SBATCH --output=\"{out}/slurm/{log}.out\"\n#SBATCH --ntasks=1\n"
    );
    for option in &request.options {
        head += &format!("#SBATCH --{}\n", option.trim_start_matches('-'));
    }
    head
}

/// The command that works on the study.
fn call(request: &SlurmRequest) -> String {
    let [program, study, out] = [&request.program, &request.study, &request.out].map(quoted);
    format!("{program} study {study} --out {out}")
}

/// A path as one word of the shell.
fn quoted(path: impl AsRef<Path>) -> String {
    format!("'{}'", path.as_ref().display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_written_as_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!(ranges(&[4]), "4");
        assert_eq!(ranges(&[]), "");
    }

    #[test]
    fn an_array_longer_than_the_cluster_allows_comes_in_parts() {
        let all: Vec<usize> = (1..=2500).collect();
        let parts = arrays(&all, 1001);
        let told: Vec<(usize, &str)> =
            parts.iter().map(|p| (p.first, p.indices.as_str())).collect();
        assert_eq!(told, [(0, "1-1000"), (1000, "1-1000"), (2000, "1-500")]);
        let some = arrays(&[3, 1000, 1001], 1001);
        assert_eq!(some[0], SlurmArray { first: 0, indices: "3,1000".into() });
        assert_eq!(some[1], SlurmArray { first: 1000, indices: "1".into() });
    }

    #[test]
    fn parts_follow_each_other_where_the_runs_at_a_time_are_limited() {
        let scripts = |limit| Scripts {
            array: "a".into(),
            gather: "g".into(),
            arrays: arrays(&[1, 2, 3], 3),
            limit,
        };
        let limited = scripts(Some(2)).array_arguments(1, Some("17"));
        assert_eq!(limited, ["--parsable", "--array=1%2", "--dependency=afterany:17", "a", "2"]);
        let free = scripts(None).array_arguments(1, Some("17"));
        assert_eq!(free, ["--parsable", "--array=1", "a", "2"]);
        let after = scripts(None).gather_arguments(&["17".into(), "18".into()]);
        assert_eq!(after, ["--parsable", "--dependency=afterany:17:18", "g"]);
    }

    #[test]
    fn paths_with_quotes_and_spaces_are_one_word() {
        assert_eq!(quoted("/a b/it's"), r"'/a b/it'\''s'");
    }
}
