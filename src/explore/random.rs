//! Numbers by chance, the same on every machine.

/// SplitMix64 (Steele, Lea, Flood 2014): one sequence per seed and sample, so that samples may be
/// drawn in any order.
pub(super) struct SplitMix(u64);

impl SplitMix {
    /// The sequence of one sample.
    pub fn new(seed: u64, sample: u64) -> Self {
        let mut random = Self(seed);
        let mixed = random.bits();
        Self(mixed ^ sample.wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// 0, 1, …, `count` − 1 in an order by chance.
    pub fn order(&mut self, count: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..count as u32).collect();
        for last in (1..count).rev() {
            let other = (self.share() * (last + 1) as f64) as usize;
            order.swap(last, other.min(last));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First numbers of the reference implementation for seed 0.
    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        let mut random = SplitMix(0);
        assert_eq!([random.bits(), random.bits()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn every_order_is_a_permutation_and_each_comes_as_often() {
        let mut seen = std::collections::BTreeMap::new();
        for sample in 0..6000 {
            *seen.entry(SplitMix::new(7, sample).order(3)).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        // Six standard deviations of 6000 draws from six.
        assert!(seen.values().all(|count| (1000i32 - count).abs() < 175), "{seen:?}");
    }
}
