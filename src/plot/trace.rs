//! Curves as SVG paths, with no more points than can be seen.

use std::collections::HashSet;
use std::fmt::Write;

/// A point in tenths of a pixel.
type Point = [i64; 2];

/// The path of a line through points in pixels; it breaks where one is not finite.
pub(super) fn line(points: impl Iterator<Item = [f64; 2]>) -> String {
    let mut path = String::new();
    let mut piece: Vec<Point> = Vec::new();
    for point in points {
        if point.iter().all(|x| x.is_finite()) {
            piece.push(point.map(|x| (10.0 * x).round() as i64));
        } else {
            write_piece(&mut path, &piece);
            piece.clear();
        }
    }
    write_piece(&mut path, &piece);
    path
}

/// The path of a cloud: a dot on every pixel that has a point.
pub(super) fn dots(points: impl Iterator<Item = [f64; 2]>) -> String {
    let mut path = String::new();
    let mut taken = HashSet::new();
    for point in points.filter(|point| point.iter().all(|x| x.is_finite())) {
        let [x, y] = point.map(|x| x.round() as i64);
        if taken.insert([x, y]) {
            let _ = write!(path, "M{x} {y}h0");
        }
    }
    path
}

fn write_piece(path: &mut String, piece: &[Point]) {
    let kept = without_flat_stretches(&extremes(piece));
    let Some(&first) = kept.first() else { return };
    let pixels = |tenths: i64| tenths as f64 / 10.0;
    let _ = write!(path, "M{} {}", pixels(first[0]), pixels(first[1]));
    if kept.len() == 1 {
        path.push_str("h0");
    }
    for (k, pair) in kept.windows(2).enumerate() {
        let [dx, dy] = [0, 1].map(|i| pixels(pair[1][i] - pair[0][i]));
        let _ = write!(path, "{}{dx} {dy}", if k == 0 { "l" } else { " " });
    }
}

/// The lowest and the highest of the points that follow each other in one pixel column, in their
/// order, and both ends.
fn extremes(piece: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = piece.first().copied().into_iter().collect();
    let column = |point: &Point| point[0].div_euclid(10);
    for group in piece.chunk_by(|a, b| column(a) == column(b)) {
        let at = |better: fn(i64, i64) -> bool| {
            (0..group.len()).fold(
                0,
                |best, k| {
                    if better(group[k][1], group[best][1]) { k } else { best }
                },
            )
        };
        let (low, high) = (at(|y, best| y < best), at(|y, best| y > best));
        kept.push(group[low.min(high)]);
        kept.push(group[low.max(high)]);
    }
    kept.extend(piece.last());
    kept.dedup();
    kept
}

/// Leaves out what lies between two others on a horizontal line.
fn without_flat_stretches(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for &point in points {
        if let [.., before, last] = kept[..] {
            let flat = before[1] == last[1] && last[1] == point[1];
            if flat && (before[0] <= last[0]) == (last[0] <= point[0]) {
                kept.pop();
            }
        }
        kept.push(point);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_series_keeps_its_extremes_and_few_points() {
        let wave = |k: usize| [k as f64 / 100.0, if k == 7777 { 90.0 } else { (k % 7) as f64 }];
        let path = line((0..10_000).map(wave));
        assert!(path.len() < 4000, "{} bytes", path.len());
        assert!(path.contains(" 84") || path.contains(" 90"), "the spike is gone: {path}");
    }

    #[test]
    fn a_break_starts_a_new_piece_and_a_lone_point_is_a_dot() {
        let points = [[0.0, 1.0], [5.0, 2.0], [6.0, f64::NAN], [7.0, 3.0], [f64::INFINITY, 0.0]];
        assert_eq!(line(points.into_iter()), "M0 1l5 1M7 3h0");
        assert_eq!(line([].into_iter()), "");
    }

    #[test]
    fn a_flat_line_is_two_points_and_a_turn_back_is_kept() {
        let flat = (0..100).map(|k| [f64::from(k), 3.0]);
        assert_eq!(line(flat), "M0 3l99 0");
        let back = [[0.0, 0.0], [50.0, 0.0], [20.0, 0.0]];
        assert_eq!(line(back.into_iter()), "M0 0l50 0 -30 0");
    }

    #[test]
    fn a_cloud_has_one_dot_per_pixel() {
        let cloud = (0..1000).map(|k| [f64::from(k % 10) / 100.0, f64::from(k % 2)]);
        assert_eq!(dots(cloud), "M0 0h0M0 1h0");
    }
}
