//! A set of elements of variables: a bit for each, since a thousand bodies that can all touch each
//! other ask for millions of insertions.

/// Elements by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ElementSet(Vec<u64>);

impl ElementSet {
    /// Adds an element, also one that is there.
    pub fn insert(&mut self, element: u32) {
        let word = element as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (element % 64);
    }

    /// Returns true if an element is there.
    pub fn contains(&self, element: u32) -> bool {
        let word = self.0.get(element as usize / 64);
        word.is_some_and(|word| word >> (element % 64) & 1 == 1)
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The elements, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(index, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| 64 * index as u32 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_back_once_and_in_order() {
        let mut set = ElementSet::default();
        for element in [64, 3, 0, 1000, 63, 3, 127, 128] {
            set.insert(element);
        }
        let expected = [0, 3, 63, 64, 127, 128, 1000];
        assert_eq!(set.iter().collect::<Vec<_>>(), expected);
        assert_eq!(set.len(), expected.len());
        assert!(set.contains(1000) && !set.contains(1) && !set.contains(5000));
    }
}
