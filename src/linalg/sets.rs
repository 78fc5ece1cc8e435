//! Disjoint sets of numbers, and what falls into them.

/// Numbers 0..n that are joined step by step, each set under its first number.
#[derive(Clone, Debug, Default)]
pub struct DisjointSets {
    above: Vec<u32>,
    count: usize,
}

impl DisjointSets {
    /// Each of so many numbers alone.
    pub fn new(numbers: usize) -> Self {
        let mut sets = Self::default();
        sets.part(numbers);
        sets
    }

    /// Begins anew, with each of so many numbers alone; within the most there have been nothing is allocated.
    pub fn part(&mut self, numbers: usize) {
        self.above.clear();
        self.above.extend(0..numbers as u32);
        self.count = numbers;
    }

    /// The first number of the set that a number is in.
    pub fn root(&mut self, mut number: u32) -> u32 {
        while self.above[number as usize] != number {
            let above = self.above[number as usize];
            self.above[number as usize] = self.above[above as usize];
            number = above;
        }
        number
    }

    /// Makes one set of those of two numbers.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.above[a.max(b) as usize] = a.min(b);
        self.count -= usize::from(a != b);
    }

    /// How many sets there are.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Numbers 0..n by the sets that they are in: sets in the order of their first numbers, numbers ascending in each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Partition {
    set_of: Vec<u32>,
    place: Vec<u32>,
    members: Vec<u32>,
    starts: Vec<u32>,
}

impl Partition {
    /// Becomes the one of these sets of so many numbers; within the most there have been nothing is allocated.
    pub fn fill(&mut self, sets: &mut DisjointSets) {
        let n = sets.above.len();
        let Self { set_of, place, members, starts } = self;
        [&mut *set_of, place, members, starts].into_iter().for_each(|list| list.clear());
        starts.push(0);
        for number in 0..n as u32 {
            let root = sets.root(number);
            if root == number {
                set_of.push(starts.len() as u32 - 1);
                starts.push(0);
            } else {
                set_of.push(set_of[root as usize]);
            }
            let size = &mut starts[set_of[number as usize] as usize + 1];
            place.push(*size);
            *size += 1;
        }
        (1..starts.len()).for_each(|set| starts[set] += starts[set - 1]);
        members.resize(n, 0);
        for number in 0..n {
            let at = starts[set_of[number] as usize] + place[number];
            members[at as usize] = number as u32;
        }
    }

    /// Of these sets.
    pub fn of(mut sets: DisjointSets) -> Self {
        let mut partition = Self::default();
        partition.fill(&mut sets);
        partition
    }

    /// The finest one in which numbers are together that are so in this or in another one.
    pub fn joined(&self, other: &Self) -> Self {
        let mut sets = DisjointSets::new(self.set_of.len());
        for partition in [self, other] {
            for set in 0..partition.sets() {
                let members = partition.members(set);
                members.iter().for_each(|&number| sets.join(members[0], number));
            }
        }
        Self::of(sets)
    }

    /// How many numbers there are.
    pub fn numbers(&self) -> usize {
        self.set_of.len()
    }

    /// How many sets there are.
    pub fn sets(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The set that a number is in.
    pub fn set_of(&self, number: usize) -> usize {
        self.set_of[number] as usize
    }

    /// Its place there.
    pub fn place_of(&self, number: usize) -> usize {
        self.place[number] as usize
    }

    /// The numbers of a set, ascending.
    pub fn members(&self, set: usize) -> &[u32] {
        &self.members[self.starts[set] as usize..self.starts[set + 1] as usize]
    }

    /// Σ n² over the sets, of n numbers each: entries of a matrix that is dense within them.
    pub fn pairs(&self) -> usize {
        self.starts.windows(2).map(|ends| ((ends[1] - ends[0]) as usize).pow(2)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(n: usize, pairs: &[(u32, u32)]) -> DisjointSets {
        let mut sets = DisjointSets::new(n);
        pairs.iter().for_each(|&(a, b)| sets.join(a, b));
        sets
    }

    #[test]
    fn sets_stand_in_the_order_of_their_first_numbers() {
        let sets = joined(7, &[(5, 2), (6, 0), (2, 3), (3, 5)]);
        assert_eq!(sets.count(), 4);
        let partition = Partition::of(sets);
        let members: Vec<&[u32]> =
            (0..partition.sets()).map(|set| partition.members(set)).collect();
        assert_eq!(members, [&[0, 6][..], &[1], &[2, 3, 5], &[4]]);
        assert_eq!((partition.set_of(5), partition.place_of(5), partition.pairs()), (2, 2, 15));
        let other = Partition::of(joined(7, &[(1, 4), (4, 6)]));
        assert_eq!(partition.joined(&other), other.joined(&partition));
        assert_eq!(partition.joined(&other).members(0), [0, 1, 4, 6]);
        assert_eq!(Partition::of(DisjointSets::new(0)).sets(), 0);
    }
}
