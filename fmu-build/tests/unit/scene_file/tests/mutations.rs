//! Damaged files: the reader answers with a scene or with problems, and never panics.

use super::super::parse;

const EXAMPLES: [&str; 2] = [
    include_str!("../../../../../examples/bouncing_ball/scene.toml"),
    include_str!("../../../../../examples/two_balls/scene.toml"),
];

#[test]
#[ignore = "long: each prefix"]
fn every_prefix_of_an_example_is_read_without_panic() {
    for text in EXAMPLES {
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            if let Err(problems) = parse(&text[..end], "scene.toml") {
                assert!(!problems.is_empty(), "prefix of {end} bytes");
            }
        }
    }
}

#[test]
fn every_line_of_an_example_can_be_left_out_without_panic() {
    for text in EXAMPLES {
        let lines: Vec<&str> = text.lines().collect();
        for left_out in 0..lines.len() {
            let mut rest = lines.clone();
            rest.remove(left_out);
            if let Err(problems) = parse(&rest.join("\n"), "scene.toml") {
                assert!(!problems.is_empty(), "without line {}", left_out + 1);
            }
        }
    }
}

#[test]
fn single_byte_mutations_are_read_without_panic() {
    mutations_are_read(200);
}

#[test]
#[ignore = "long: four thousand scenes"]
fn very_many_single_byte_mutations_are_read_without_panic() {
    mutations_are_read(2000);
}

fn mutations_are_read(count: usize) {
    // Numbers of splitmix64 [Steele 2014] from seed 1: the same mutations in every run.
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % below as u64) as usize
    };
    let mut scenes = 0;
    for text in EXAMPLES {
        for _ in 0..count {
            let mut bytes = text.as_bytes().to_vec();
            let at = random(bytes.len());
            // Printable ASCII and line breaks are likelier to reach the inner layers.
            bytes[at] = match random(8) {
                0 => b'\n',
                1 => random(256) as u8,
                _ => 32 + random(95) as u8,
            };
            let text = String::from_utf8_lossy(&bytes);
            match parse(&text, "scene.toml") {
                Ok(_) => scenes += 1,
                Err(problems) => assert!(!problems.is_empty()),
            }
        }
    }
    // Comments and digits leave a good scene: the mutations reach both answers.
    let all = 2 * count;
    assert!(
        (all / 8..all / 8 * 7).contains(&scenes),
        "{scenes} of {all}"
    );
}
