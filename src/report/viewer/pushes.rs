//! Forces between bodies as data of the page: the largest of each frame.

use serde::Serialize;

use super::block::{Block, BlockArray, FieldComponent};
use crate::error::Error;
use crate::results::{FrameData, Frames};

/// More arrows than these in a picture hide each other.
const MOST_PUSHES: usize = 500;

const AXES: [&str; 3] = ["x", "y", "z"];

/// The contacts between bodies in the frames of `contacts.pvd`: those behind the candidates, of which alone the first
/// frame has points.
pub(super) struct Pushes {
    frames: Frames,
    candidates: usize,
}

/// What the script of the page reads of them.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PushesHeader {
    /// Where those of each frame begin, and at last where they end.
    starts: BlockArray,
    places: Vec<FieldComponent>,
    /// Impulses of the step, on the first of the two bodies.
    impulses: Vec<FieldComponent>,
}

/// Place and impulse.
type Push = ([f64; 3], [f64; 3]);

impl Pushes {
    /// Of the frames in `contacts.pvd`; none where the last of them has candidates alone.
    ///
    /// # Errors
    /// Frames that cannot be read.
    pub(super) fn read(frames: Frames) -> Result<Option<Self>, Error> {
        let candidates = frames.load(0)?.points.len();
        let own = Self { frames, candidates };
        for k in (0..own.frames.len()).rev() {
            if !own.of(&own.frames.load(k)?).is_empty() {
                return Ok(Some(own));
            }
        }
        Ok(None)
    }

    /// Bytes of text that they take at most in one frame.
    pub(super) fn text_per_frame(&self) -> usize {
        (2 * (6 * MOST_PUSHES + 1)).div_ceil(3) * 4
    }

    /// A sentence on those that are left out.
    pub(super) fn left_out(&self) -> String {
        format!(" Of the forces between bodies the {MOST_PUSHES} largest of a frame have arrows.")
    }

    /// Header and bytes, at the frames of these numbers.
    ///
    /// # Errors
    /// Frames that cannot be read, or that have values that are none.
    pub(super) fn pack(
        &self,
        kept: &[usize],
        block: &mut Block,
    ) -> Result<Option<PushesHeader>, Error> {
        let (mut starts, mut pushes) = (vec![0], Vec::new());
        for &k in kept {
            pushes.extend(self.of(&self.frames.load(k)?));
            starts.push(pushes.len() as u32);
        }
        if pushes.is_empty() {
            return Ok(None);
        }
        let starts = block.push_indices(&starts);
        let mut components = |of: fn(&Push) -> [f64; 3]| -> Result<Vec<FieldComponent>, Error> {
            let component = |i: usize| {
                let values: Vec<f64> = pushes.iter().map(|push| of(push)[i]).collect();
                block.push_component(AXES[i], &values).map_err(|value| {
                    let message =
                        format!("'impulse' has the value or range {value}; the run blew up");
                    self.frames.complaint(0, message)
                })
            };
            (0..3).map(component).collect()
        };
        let (places, impulses) = (components(|push| push.0)?, components(|push| push.1)?);
        Ok(Some(PushesHeader { starts, places, impulses }))
    }

    /// The largest of a frame.
    fn of(&self, frame: &FrameData) -> Vec<Push> {
        let Some(impulse) = frame.point("impulse").filter(|array| array.components == 3) else {
            return Vec::new();
        };
        let size = |push: &Push| push.1.iter().map(|x| x * x).sum::<f64>();
        let all = frame.points.iter().zip(impulse.values.chunks_exact(3));
        let pushes = all.skip(self.candidates).map(|(&place, p)| (place, [p[0], p[1], p[2]]));
        let mut pushes: Vec<Push> = pushes.filter(|push| size(push) > 0.0).collect();
        pushes.sort_by(|a, b| size(b).total_cmp(&size(a)));
        pushes.truncate(MOST_PUSHES);
        pushes
    }
}
