
use super::*;
#[derive(Debug, Default)] pub struct BroadPhase;
impl BroadPhase { pub fn pairs(&mut self, b: &[[[f64;3];2]], f: &mut Vec<(u32,u32)>) {
 for j in 0..b.len() { for i in 0..j { if (0..3).all(|k| b[i][0][k] <= b[j][1][k] && b[j][0][k] <= b[i][1][k]) { f.push((i as u32,j as u32)); } } }
 f.sort_unstable();
} }
pub fn bounds(c: &Convex, p: &Placement, m: f64) -> [[f64;3];2] {
 let (pts, r): (Vec<[f64;3]>, f64) = match c { Convex::Ball{center,radius} => (vec![*center], *radius), Convex::Capsule{ends,radius} => (ends.to_vec(), *radius), Convex::Polyhedron(s) => (s.vertices.clone(), 0.0), Convex::Polygon(s) => (s.vertices.clone(), 0.0) };
 let mut b = [[f64::INFINITY;3],[f64::NEG_INFINITY;3]];
 for x in pts { let x = p.to_space(x); for k in 0..3 { b[0][k] = b[0][k].min(x[k]-r-m); b[1][k] = b[1][k].max(x[k]+r+m); } }
 b }
