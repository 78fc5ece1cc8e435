
use super::*;
#[derive(Debug, Default)] pub struct BroadPhase;
impl BroadPhase { pub fn pairs(&mut self, _b: &[[[f64;3];2]], _f: &mut Vec<(u32,u32)>) {} }
#[derive(Debug, Default)] pub struct DetectScratch;
pub fn bounds(_c: &Convex, _p: &Placement, _m: f64) -> [[f64;3];2] { [[0.0;3];2] }
pub fn meet(_a: (&Convex,&Placement), _b: (&Convex,&Placement), _w: f64, _s: &mut DetectScratch, _f: &mut Vec<Meeting>) {}
