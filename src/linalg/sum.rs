//! Sums in a fixed order.

/// x·y, summed in eight interleaved lanes: the order depends on the length alone.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len(), "dot product of vectors of unequal length");
    let mut lanes = [0.0; 8];
    let (x_chunks, y_chunks) = (x.chunks_exact(8), y.chunks_exact(8));
    let tail = x_chunks.remainder().iter().zip(y_chunks.remainder());
    let rest: f64 = tail.map(|(a, b)| a * b).sum();
    for (a, b) in x_chunks.zip(y_chunks) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a * b;
        }
    }
    lanes.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::dot;

    #[test]
    fn dot_adds_every_product_once() {
        for n in 0..40 {
            let x: Vec<f64> = (0..n).map(f64::from).collect();
            let exact: f64 = x.iter().map(|a| a * a).sum();
            assert_eq!(dot(&x, &x), exact);
        }
    }
}
