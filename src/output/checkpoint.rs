//! Checkpoint files: bytes under a seal, so that a damaged file is never taken for a good one.
//!
//! ```text
//!     magic (8 bytes)   hash (8)   format (8)   length (8)   the bytes                        little endian
//! ```
//!
//! The hash is FNV-1a of all that follows it. Every byte changes it one to one, so that one damaged byte is
//! always seen, and more with a chance of 1 − 2⁻⁶⁴.

use std::path::{Path, PathBuf};

use super::{ResultsFolder, write_whole};
use crate::error::Error;

const MAGIC: &[u8; 8] = b"DELASSUS";
/// Of the seal, and of what is below it.
const FORMAT: u64 = 1;
const HEAD: usize = 32;

/// What can be wrong with a checkpoint file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsealed {
    /// It is not as it was written.
    Damaged(String),
    /// It is whole, and of another format.
    OtherFormat(u64),
}

/// FNV-1a, 64 bits, of `bytes` after what gave `hash`.
fn hash_on(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// FNV-1a, 64 bits.
pub fn hash_of(bytes: &[u8]) -> u64 {
    hash_on(0xcbf2_9ce4_8422_2325, bytes)
}

/// Writes `bytes` under a seal, whole or not at all.
pub fn write_sealed(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let lengths = [FORMAT.to_le_bytes(), (bytes.len() as u64).to_le_bytes()].concat();
    let hash = hash_on(hash_of(&lengths), bytes);
    let write = |out: &mut dyn std::io::Write| {
        out.write_all(MAGIC)?;
        out.write_all(&hash.to_le_bytes())?;
        out.write_all(&lengths)?;
        out.write_all(bytes)
    };
    write_whole(path, write).map_err(|source| Error::Write { path: path.into(), source })
}

/// The bytes under the seal.
pub fn unseal(mut file: Vec<u8>) -> Result<Vec<u8>, Unsealed> {
    let damaged = |what: &str| Err(Unsealed::Damaged(what.into()));
    if file.len() < HEAD || !file.starts_with(MAGIC) {
        return damaged("it does not begin as a checkpoint does");
    }
    let word = |at: usize| {
        file[at..at + 8].iter().rev().fold(0, |word, &byte| (word << 8) | u64::from(byte))
    };
    let (hash, format, length) = (word(8), word(16), word(24));
    if length != (file.len() - HEAD) as u64 {
        return damaged("it does not have its length");
    }
    if hash_of(&file[16..]) != hash {
        return damaged("its checksum is not that of its bytes");
    }
    if format != FORMAT {
        return Err(Unsealed::OtherFormat(format));
    }
    file.drain(..HEAD);
    Ok(file)
}

impl ResultsFolder {
    /// Where the checkpoint of a step is.
    pub fn checkpoint(&self, step: usize) -> PathBuf {
        self.file(&format!("checkpoint_{step}.delassus"))
    }

    /// Steps of the checkpoints in the folder, the newest first.
    pub fn checkpoints(&self) -> Result<Vec<usize>, Error> {
        let complain = |source| Error::OutputFolder { path: self.path().into(), source };
        let mut steps = Vec::new();
        for entry in std::fs::read_dir(self.path()).map_err(complain)? {
            let name = entry.map_err(complain)?.file_name();
            steps.extend(checkpoint_step(&name.to_string_lossy()));
        }
        steps.sort_unstable_by(|a, b| b.cmp(a));
        Ok(steps)
    }

    /// Removes the checkpoints of the steps that `goes` tells.
    pub fn remove_checkpoints(&self, goes: impl Fn(usize) -> bool) -> Result<(), Error> {
        for step in self.checkpoints()?.into_iter().filter(|&step| goes(step)) {
            let path = self.checkpoint(step);
            std::fs::remove_file(&path).map_err(|source| Error::Write { path, source })?;
        }
        Ok(())
    }
}

/// The step of a checkpoint of that name.
pub(super) fn checkpoint_step(name: &str) -> Option<usize> {
    let digits = name.strip_prefix("checkpoint_")?.strip_suffix(".delassus")?;
    digits.parse().ok().filter(|step: &usize| step.to_string() == digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(bytes: &[u8]) -> Vec<u8> {
        let name = format!("delassus-sealed-{}-{}", std::process::id(), bytes.len());
        let path = std::env::temp_dir().join(name);
        write_sealed(&path, bytes).unwrap();
        let file = std::fs::read(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        file
    }

    /// Noll's test vectors of FNV-1a.
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(hash_of(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash_of(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash_of(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_seal_gives_back_its_bytes_and_breaks_at_every_flip_and_cut() {
        let bytes: Vec<u8> = (0..100).map(|i| (7 * i) as u8).collect();
        let file = sealed(&bytes);
        assert_eq!(unseal(file.clone()), Ok(bytes));
        for at in 0..file.len() {
            assert!(
                matches!(unseal(file[..at].to_vec()), Err(Unsealed::Damaged(_))),
                "cut at {at}"
            );
            for bit in 0..8 {
                let mut flipped = file.clone();
                flipped[at] ^= 1 << bit;
                assert!(matches!(unseal(flipped), Err(Unsealed::Damaged(_))), "bit {bit} of {at}");
            }
        }
        assert!(matches!(unseal([&file[..], &[0]].concat()), Err(Unsealed::Damaged(_))));
    }

    #[test]
    fn another_format_is_told_from_damage() {
        let mut file = sealed(b"later");
        file[16..24].copy_from_slice(&2u64.to_le_bytes());
        let hash = hash_of(&file[16..]);
        file[8..16].copy_from_slice(&hash.to_le_bytes());
        assert_eq!(unseal(file), Err(Unsealed::OtherFormat(2)));
    }
}
