//! CHOLMOD in a process of its own, compiled on the spot.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use delassus::linalg::UpperColumns;

/// The compiled program.
pub struct Cholmod {
    folder: PathBuf,
}

impl Cholmod {
    /// Compiles the program; says why and gives nothing where that is impossible.
    pub fn compile() -> Option<Self> {
        let folder = std::env::temp_dir().join(format!("beside-cholmod-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/beside_cholmod.c");
        let built = Command::new("cc")
            .args(["-O2", "-o"])
            .arg(folder.join("beside_cholmod"))
            .arg(source)
            .arg("-lcholmod")
            .output();
        match built {
            Ok(output) if output.status.success() => Some(Self { folder }),
            Ok(output) => {
                let reason = String::from_utf8_lossy(&output.stderr).into_owned();
                println!("NOT BESIDE CHOLMOD: cc could not compile and link it:\n{reason}");
                None
            }
            Err(reason) => {
                println!("NOT BESIDE CHOLMOD: there is no C compiler 'cc': {reason}");
                None
            }
        }
    }

    /// Writes the matrix where the program reads it.
    pub fn write(&self, matrix: &UpperColumns) -> PathBuf {
        let path = self.folder.join("matrix");
        let file = std::fs::File::create(&path).expect("a temporary file can be written");
        let mut out = BufWriter::new(file);
        let header = [matrix.starts.len() - 1, matrix.rows.len()];
        let mut put = |bytes: &[u8]| out.write_all(bytes).expect("a temporary file can be written");
        header.iter().chain(&matrix.starts).for_each(|&n| put(&(n as i64).to_ne_bytes()));
        matrix.rows.iter().for_each(|row| put(&row.to_ne_bytes()));
        matrix.values.iter().for_each(|value| put(&value.to_ne_bytes()));
        out.flush().expect("a temporary file can be written");
        path
    }
}

impl Drop for Cholmod {
    fn drop(&mut self) {
        // What is left behind is in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The program at work on one matrix with a number of threads.
pub struct Running {
    child: Child,
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
}

impl Cholmod {
    pub fn start(&self, matrix: &Path, threads: usize) -> Running {
        let threads = threads.to_string();
        let mut child = Command::new(self.folder.join("beside_cholmod"))
            .arg(matrix)
            .env("OPENBLAS_NUM_THREADS", &threads)
            .env("OMP_NUM_THREADS", &threads)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the compiled program can be started");
        let ask = child.stdin.take().expect("its input is piped");
        let answer = BufReader::new(child.stdout.take().expect("its output is piped"));
        Running { child, ask, answer }
    }
}

impl Running {
    fn request(&mut self, what: &str) -> Vec<f64> {
        writeln!(self.ask, "{what}").expect("CHOLMOD is running");
        let mut line = String::new();
        self.answer.read_line(&mut line).expect("CHOLMOD is running");
        line.split_whitespace().map(|n| n.parse().expect("an answer is numbers")).collect()
    }

    /// Seconds of the order and plan, entries of L, operations.
    pub fn order(&mut self) -> [f64; 3] {
        self.request("order").try_into().expect("the order answers three numbers")
    }

    /// Seconds of "factor" or "solve".
    pub fn time(&mut self, what: &str) -> f64 {
        self.request(what)[0]
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
