//! Each message about a scene has a case on the book's pages on messages, as far as a scene file can
//! have it. Messages are the texts with spaces in the sources that make findings.

use proc_macro2::{TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// Sources that make findings, from fmu-core.
const SOURCES: [&str; 16] = [
    "laws/src/finding.rs",
    "laws/src/response/flaws.rs",
    "model/src/scene/area.rs",
    "model/src/scene/build.rs",
    "model/src/scene/check/checker.rs",
    "model/src/scene/check/force.rs",
    "model/src/scene/check/form.rs",
    "model/src/scene/check/joint.rs",
    "model/src/scene/check/mod.rs",
    "model/src/scene/flaw.rs",
    "model/src/scene/forces.rs",
    "model/src/scene/lists.rs",
    "model/src/scene/motions.rs",
    "model/src/scene/pairing.rs",
    "model/src/scene/reported.rs",
    "model/src/scene/tree.rs",
];

/// Texts of findings that no scene file has, and why.
#[rustfmt::skip]
const UNREACHABLE: [(&str, &[&str]); 9] = [
    ("no finding about a description", &["must be 1: the law acts over an area"]),
    ("the reader refuses numbers that are not finite", &[
        " s in it; must be finite", "; every number must be finite",
        " kg and inertia not a finite number", "make its shapes smaller or lighter", "centre of mass is ",
        " m, not finite numbers", "make its shapes smaller or lighter, or give center_of_mass",
    ]),
    ("the reader counts functions and numbers itself", &[" is not known; there are "]),
    ("the reader takes names of files from paths", &[" is not the name of a file"]),
    ("a part has no key part", &["a compound cannot be a part of a compound", "list its parts directly"]),
    ("the reader makes hulls and meshes of good parts", &[
        "volume of the ", "> 0: a closed surface whose triangles face outwards", " reaches from ", " m to ",
        " m; must have a thickness", "centroid of the ", " is at ", " m; must lie inside its bounding box, ",
        " at density 1 kg/m3: ", " has no convex part", "smoothing radius of convex part ", "convex part ",
        " with its smoothing radius of ", " m reaches ", " m out of the bounding box of the ", "; must stay inside",
    ]),
    ("the reader asks for places, and knows regions and shapes", &[
        "has no ball", "give it a lattice, a fill or a file", "this name is taken by another region",
        " has no shape ", "; its shapes: ",
    ]),
    ("self pairs of the same kinds have the same numbers", &["numbers are missing"]),
    ("many bodies are needed, or rotations", &[
        "with those of report it means", "the names mean", "the angular speed jumps from ",
        "this name is taken by a joint",
    ]),
];

/// Texts of a source, without tests and attributes.
#[derive(Default)]
struct Texts(Vec<String>);

impl Texts {
    fn read(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Literal(literal) => {
                    if let syn::Lit::Str(text) = syn::Lit::new(literal) {
                        self.0.push(text.value());
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Texts {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.0.push(text.value());
    }

    fn visit_macro(&mut self, found: &'ast syn::Macro) {
        self.read(found.tokens.clone());
        visit::visit_macro(self, found);
    }
}

/// The parts of a text between its values and line ends.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let rest = text
        .split('{')
        .enumerate()
        .map(|(index, part)| match index {
            0 => part,
            _ => part.split_once('}').map_or(part, |(_, rest)| rest),
        });
    rest.flat_map(str::lines)
        .filter(|part| part.trim().contains(' '))
}

#[test]
fn every_message_about_a_scene_has_a_case() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: PathBuf| fs::read_to_string(&path).unwrap_or_else(|_| panic!("{path:?}"));
    let pages = fs::read_dir(here.join("book/src/reference/messages")).unwrap();
    let pages: String = pages.map(|page| read(page.unwrap().path())).collect();
    let mut texts = Texts::default();
    for source in SOURCES {
        let source = read(here.join("../fmu-core").join(source));
        texts.visit_file(&syn::parse_file(&source).unwrap());
    }
    let missing = |part: &&str| {
        let unreachable = UNREACHABLE.iter().any(|(_, texts)| texts.contains(part));
        pages.contains(*part) == unreachable
    };
    let all = texts.0.iter().flat_map(|text| parts(text));
    let wrong: Vec<&str> = all.filter(missing).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
