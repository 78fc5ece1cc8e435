//! The neutral format `fc-problem/1`, and cone problems as the engine saves them.
//!
//! A file with the key `schema` is neutral; one without, but with `b`, is a cone problem.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::error::Fault;
use super::sparse::{Entries, Lines, Sparse};
use super::{Form, ProblemFile, Solution};

/// Some editors put it before the text; no part of the JSON.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

const SCHEMA: &str = "fc-problem/1";
const ORDERING: &str =
    "per contact: normal component first, then the 1 (2D) or 2 (3D) tangential components";
const LOCAL: &str = "u = W r + q ; K* ∋ u + mu*|u_T|*e_N ⟂ r ∈ K, K={|r_T| <= mu r_N}";
const GLOBAL: &str =
    "M v = H r + f ; u = H^T v + w ; K* ∋ u + mu*|u_T|*e_N ⟂ r ∈ K, K={|r_T| <= mu r_N}";

/// The keys that tell the two kinds of file apart.
#[derive(Deserialize)]
struct Keys {
    schema: Option<String>,
    b: Option<IgnoredAny>,
}

/// The cone problem û = W p + b of one step, W row by row.
#[derive(Deserialize)]
struct Cone {
    dimension: usize,
    w: Vec<f64>,
    b: Vec<f64>,
    mu: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum NeutralKind {
    Local,
    Global,
}

#[derive(Serialize, Deserialize)]
struct Neutral {
    schema: String,
    name: Option<String>,
    kind: NeutralKind,
    dimension: usize,
    contacts: usize,
    #[serde(default)]
    ordering: String,
    #[serde(default)]
    equations: String,
    mu: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    q: Option<Vec<f64>>,
    #[serde(rename = "W", skip_serializing_if = "Option::is_none")]
    delassus: Option<Matrix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    f: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    w: Option<Vec<f64>>,
    #[serde(rename = "M", skip_serializing_if = "Option::is_none")]
    mass: Option<Matrix>,
    #[serde(rename = "H", skip_serializing_if = "Option::is_none")]
    forces: Option<Matrix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<Solution>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    guesses: Vec<Solution>,
}

#[derive(Serialize, Deserialize)]
struct Matrix {
    format: String,
    nrows: usize,
    ncols: usize,
    nnz: usize,
    colptr: Vec<i64>,
    rowind: Vec<i64>,
    values: Vec<f64>,
}

/// Reads either kind of file; `stem` is the name of a problem that has none.
pub(super) fn parse(bytes: &[u8], stem: String) -> Result<ProblemFile, Fault> {
    let keys: Keys = object(bytes)?;
    match keys {
        Keys { schema: Some(schema), .. } if schema == SCHEMA => {
            object::<Neutral>(bytes)?.into_problem(stem, bytes.len())
        }
        Keys { schema: Some(schema), .. } => {
            Err(Fault::new("key schema", format!("'{schema}'"), format!("give '{SCHEMA}'")))
        }
        Keys { schema: None, b: Some(_) } => object::<Cone>(bytes)?.into_problem(stem),
        Keys { schema: None, b: None } => {
            let remedy = format!("give a problem '{SCHEMA}' or a cone problem dimension, w, b, mu");
            Err(Fault::new("keys", "neither schema nor b", remedy))
        }
    }
}

/// One JSON object of a known shape.
pub(super) fn object<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    serde_json::from_slice(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        let message = error.to_string();
        let value = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
        Fault::new(place, value, "is the file cut, or not a problem?")
    })
}

pub(super) fn print(problem: &ProblemFile) -> Result<Vec<u8>, Fault> {
    serde_json::to_vec(&Neutral::from_problem(problem)).map_err(|error| {
        Fault::new("json", error.to_string(), "give finite numbers and a name that is text")
    })
}

impl Cone {
    fn into_problem(self, stem: String) -> Result<ProblemFile, Fault> {
        let size = self.b.len();
        if Some(self.w.len()) != size.checked_mul(size) {
            let value = format!("{} entries", self.w.len());
            let remedy = format!("give {size} x {size}, as b has {size}");
            return Err(Fault::new("key w", value, remedy));
        }
        let mut entries = Entries::new("W", size, size, size)?;
        for (k, &value) in self.w.iter().enumerate() {
            entries.push(k / size, k % size, value)?;
        }
        Ok(ProblemFile {
            name: stem,
            dimension: self.dimension,
            friction: self.mu,
            form: Form::Local { w: entries.finish()?, q: self.b },
            solution: None,
            guesses: Vec::new(),
        })
    }
}

impl Neutral {
    fn into_problem(self, stem: String, room: usize) -> Result<ProblemFile, Fault> {
        if self.mu.len() != self.contacts {
            let value = format!("{} contacts, but {} in mu", self.contacts, self.mu.len());
            return Err(Fault::new("key contacts", value, "give one friction per contact"));
        }
        let form = match self.kind {
            NeutralKind::Local => Form::Local {
                w: present("W", self.delassus)?.into_sparse("W", room)?,
                q: present("q", self.q)?,
            },
            NeutralKind::Global => Form::Global {
                m: present("M", self.mass)?.into_sparse("M", room)?,
                h: present("H", self.forces)?.into_sparse("H", room)?,
                f: present("f", self.f)?,
                w: present("w", self.w)?,
            },
        };
        Ok(ProblemFile {
            name: self.name.unwrap_or(stem),
            dimension: self.dimension,
            friction: self.mu,
            form,
            solution: self.solution,
            guesses: self.guesses,
        })
    }

    fn from_problem(problem: &ProblemFile) -> Self {
        let mut neutral = Self {
            schema: SCHEMA.into(),
            name: Some(problem.name.clone()),
            kind: NeutralKind::Local,
            dimension: problem.dimension,
            contacts: problem.contacts(),
            ordering: ORDERING.into(),
            equations: LOCAL.into(),
            mu: problem.friction.clone(),
            q: None,
            delassus: None,
            f: None,
            w: None,
            mass: None,
            forces: None,
            solution: problem.solution.clone(),
            guesses: problem.guesses.clone(),
        };
        match &problem.form {
            Form::Local { w, q } => {
                neutral.delassus = Some(Matrix::from_sparse(w));
                neutral.q = Some(q.clone());
            }
            Form::Global { m, h, f, w } => {
                neutral.kind = NeutralKind::Global;
                neutral.equations = GLOBAL.into();
                neutral.mass = Some(Matrix::from_sparse(m));
                neutral.forces = Some(Matrix::from_sparse(h));
                neutral.f = Some(f.clone());
                neutral.w = Some(w.clone());
            }
        }
        neutral
    }
}

fn present<T>(key: &str, value: Option<T>) -> Result<T, Fault> {
    value.ok_or_else(|| Fault::new(format!("key {key}"), "absent", "give it, as the kind wants it"))
}

impl Matrix {
    fn into_sparse(self, name: &'static str, room: usize) -> Result<Sparse, Fault> {
        let place = || format!("key {name}");
        if self.format != "csc" {
            return Err(Fault::new(place(), format!("format '{}'", self.format), "give 'csc'"));
        }
        if self.nnz != self.values.len() || self.nnz != self.rowind.len() {
            let value = format!(
                "nnz {} for {} rowind and {} values",
                self.nnz,
                self.rowind.len(),
                self.values.len()
            );
            return Err(Fault::new(place(), value, "give three equal numbers"));
        }
        let mut entries = Entries::new(name, self.nrows, self.ncols, room)?;
        entries.push_compressed(Lines::Columns, &self.colptr, &self.rowind, &self.values)?;
        if self.colptr.last() != Some(&(self.nnz as i64)) {
            let value = format!("colptr ends with {:?}", self.colptr.last());
            return Err(Fault::new(place(), value, format!("let it end with nnz = {}", self.nnz)));
        }
        entries.finish()
    }

    fn from_sparse(sparse: &Sparse) -> Self {
        Self {
            format: "csc".into(),
            nrows: sparse.rows,
            ncols: sparse.columns,
            nnz: sparse.values.len(),
            colptr: sparse.starts.iter().map(|&start| start as i64).collect(),
            rowind: sparse.row_of.iter().map(|&row| i64::from(row)).collect(),
            values: sparse.values.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let fault = parse(text.as_bytes(), "t".into()).expect_err("it is wrong");
        format!("{}: {}; {}", fault.place, fault.value, fault.remedy)
    }

    #[test]
    fn errors_say_place_value_and_remedy() {
        assert_eq!(
            message(r#"{"schema":"fc-problem/2"}"#),
            "key schema: 'fc-problem/2'; give 'fc-problem/1'"
        );
        assert_eq!(
            message(r#"{"dimension":2}"#),
            "keys: neither schema nor b; give a problem 'fc-problem/1' or a cone problem dimension, w, b, mu"
        );
        assert_eq!(
            message(r#"{"dimension":2,"w":[1.0],"b":[1.0,2.0],"mu":[0.5]}"#),
            "key w: 1 entries; give 2 x 2, as b has 2"
        );
        assert_eq!(
            message("{\"schema\":\n"),
            "line 2, column 0: EOF while parsing a value; is the file cut, or not a problem?"
        );
    }

    #[test]
    fn numbers_too_large_for_a_double_are_refused() {
        let text = r#"{"dimension":2,"w":[1e999,0,0,1],"b":[1.0,2.0],"mu":[0.5]}"#;
        assert!(message(text).contains("number out of range"), "{}", message(text));
    }
}
