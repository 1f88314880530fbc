//! Numbers in binary form, little-endian, each list at a multiple of 8 bytes.

use serde_json::{Value, json};

/// Bytes that lists begin at a multiple of: the size of the largest number.
const ALIGNMENT: usize = 8;

/// Lists of numbers one after the other.
#[derive(Debug, Default)]
pub struct Blob {
    bytes: Vec<u8>,
}

impl Blob {
    /// Adds numbers of 64 bits; returns where they are, for the JSON that goes with the blob.
    pub fn f64(&mut self, values: impl IntoIterator<Item = f64>) -> Value {
        self.add("f64", values, |bytes, value| {
            bytes.extend_from_slice(&value.to_le_bytes());
        })
    }

    /// Adds numbers rounded to 32 bits.
    pub fn f32(&mut self, values: impl IntoIterator<Item = f64>) -> Value {
        self.add("f32", values, |bytes, value| {
            bytes.extend_from_slice(&(value as f32).to_le_bytes());
        })
    }

    /// Adds numbers in -1..=1, rounded to multiples of 1/32767.
    pub fn i16(&mut self, values: impl IntoIterator<Item = f64>) -> Value {
        self.add("i16", values, |bytes, value| {
            let rounded = (value * f64::from(i16::MAX)).round() as i16;
            bytes.extend_from_slice(&rounded.to_le_bytes());
        })
    }

    /// Adds whole numbers.
    pub fn u32(&mut self, values: impl IntoIterator<Item = usize>) -> Value {
        self.add("u32", values, |bytes, value| {
            let value = u32::try_from(value).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&value.to_le_bytes());
        })
    }

    fn add<T>(
        &mut self,
        kind: &str,
        values: impl IntoIterator<Item = T>,
        write: impl Fn(&mut Vec<u8>, T),
    ) -> Value {
        self.bytes
            .resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
        let offset = self.bytes.len();
        let mut count = 0usize;
        for value in values {
            write(&mut self.bytes, value);
            count += 1;
        }
        json!({"type": kind, "offset": offset, "count": count})
    }

    /// Adds what [`Self::f32`] or [`Self::f64`] does: the shorter form, unless rounding to it would be
    /// seen in a plot, as of a small motion far from zero.
    pub fn fitting(&mut self, values: impl Iterator<Item = f64> + Clone) -> Value {
        let fold = |f: fn(f64, f64) -> f64, start| values.clone().fold(start, f);
        let (low, high) = (
            fold(f64::min, f64::INFINITY),
            fold(f64::max, f64::NEG_INFINITY),
        );
        let rounding = f64::from(f32::EPSILON) * low.abs().max(high.abs());
        match high - low < VISIBLE * rounding && high > low {
            true => self.f64(values),
            false => self.f32(values),
        }
    }

    /// All bytes.
    pub fn bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Steps that a plotted range has at least [1].
const VISIBLE: f64 = 1e4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_begin_at_multiples_of_eight_and_read_back() {
        let mut blob = Blob::default();
        let one = blob.i16([1.0, -1.0, 0.5]);
        let two = blob.f64([0.1]);
        let three = blob.u32([7, 70_000]);
        assert_eq!(one, json!({"type": "i16", "offset": 0, "count": 3}));
        assert_eq!(two, json!({"type": "f64", "offset": 8, "count": 1}));
        assert_eq!(three, json!({"type": "u32", "offset": 16, "count": 2}));
        let bytes = blob.bytes();
        assert_eq!(i16::from_le_bytes(bytes[0..2].try_into().unwrap()), 32767);
        assert_eq!(i16::from_le_bytes(bytes[2..4].try_into().unwrap()), -32767);
        assert_eq!(f64::from_le_bytes(bytes[8..16].try_into().unwrap()), 0.1);
        assert_eq!(
            u32::from_le_bytes(bytes[20..24].try_into().unwrap()),
            70_000
        );
    }

    #[test]
    fn a_small_motion_far_from_zero_keeps_all_its_digits() {
        let kind = |values: [f64; 2]| {
            let found = Blob::default().fitting(values.into_iter());
            found["type"].as_str().unwrap().to_owned()
        };
        assert_eq!(kind([0.0, 1.0]), "f32");
        assert_eq!(kind([1000.0, 1000.001]), "f64");
        assert_eq!(kind([1000.0, 1000.0]), "f32");
    }
}
