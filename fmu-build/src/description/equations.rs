//! Equations of contact laws as HTML, for the page in an FMU.
//!
//! A formula is written as in a text: `f_n = K δ^n (1 + d δ̇)`. Single letters are symbols and set
//! in italics, words of several letters are names of functions; `_` and `^` take the next letter,
//! or what is in braces, below or above.

use contact_laws::response::options::{
    Damping, FrictionKind, ImpactSpeed, NormalKind, Pulling, RestitutionRule, Spinning,
};
use contact_laws::response::{LawChoice, Number};

/// The formulas of a law: what each one gives, and the formula.
pub fn equations(choice: &LawChoice) -> Vec<(&'static str, String)> {
    let kinds = &choice.kinds;
    let mut list = vec![("Normal force", normal(choice).to_owned())];
    if kinds.normal == NormalKind::Observer {
        return list;
    }
    if kinds.may_cover_area() {
        list.push(("Pressure over an area", PRESSURE.to_owned()));
    }
    if kinds.is_damped() {
        list.extend(damping(choice));
    }
    let pulling = match kinds.pulling {
        Pulling::Clamped => "f_n = max(f_n, 0)",
        Pulling::Signed => "f_n as it is, also below 0",
    };
    list.push(("Pulling", pulling.to_owned()));
    list.push((
        "Friction on the second body",
        friction(kinds.friction).to_owned(),
    ));
    if choice.number(Number::RollingResistance) > 0.0 || kinds.spinning == Spinning::Own {
        let turning = match kinds.spinning {
            Spinning::AsRolling => "τ = −μ_r R f_n ω/reg(|ω|, ω_{small})",
            Spinning::Own => {
                "τ = −μ_r R f_n ω_t/reg(|ω_t|, ω_{small}) − μ_n R f_n ω_n/reg(|ω_n|, ω_{small})"
            }
        };
        list.push(("Resistance to turning", turning.to_owned()));
    }
    if kinds.has_impulse() {
        list.push(("Impact", IMPACT.to_owned()));
    }
    list
}

/// Where velocities jump.
const IMPACT: &str = "where bodies meet faster than v_{rest}, velocities jump by impulses p_n along the normal, \
     with the restitution e, and p_t along the surfaces, |p_t| ≤ μ_k p_n";

/// Where shapes touch over an area.
const PRESSURE: &str = "p = min(k_1 δ_1, k_2 δ_2), δ_i the depth below the nearest face, k_i = 2 k_A or \
     E_i (1 − ν_i)/((1 + ν_i) (1 − 2 ν_i) h_i); without h_i E_i over half of the smaller thickness";

fn normal(choice: &LawChoice) -> &'static str {
    match choice.kinds.normal {
        NormalKind::Hertz => {
            "f_n = K δ^{3/2} (1 + d δ̇), K = (4/3) c √R, 1/c = (1 − ν_1^2)/E_1 + (1 − ν_2^2)/E_2"
        }
        NormalKind::Spring => "f_n = K δ^n (1 + d δ̇)",
        NormalKind::Impact => "f_n = K δ^n + c_{max} STEP(δ, 0, 0, δ_{max}, 1) δ̇",
        NormalKind::Poisson => {
            "f_n = K δ (1 + β STEP(δ̇, −v_n, −1, v_n, 1)), β = (1 − e^2)/(1 + e^2)"
        }
        NormalKind::Volume if choice.number(Number::Area) > 0.0 => {
            "f_n = A k δ^n (1 + d δ̇), k = k_A or k_1 k_2/(k_1 + k_2), \
             k_i = E_i (1 − ν_i)/((1 + ν_i) (1 − 2 ν_i) h_i)"
        }
        NormalKind::Volume => {
            "f_n = 2 π R k δ^{n+1}/(n + 1) (1 + d δ̇), k = k_A or k_1 k_2/(k_1 + k_2), \
             k_i = E_i (1 − ν_i)/((1 + ν_i) (1 − 2 ν_i) h_i)"
        }
        NormalKind::User(_) => "f_n: a function of the user",
        NormalKind::Observer => "f_n = 0",
    }
}

fn damping(choice: &LawChoice) -> Vec<(&'static str, String)> {
    let kinds = &choice.kinds;
    if kinds.normal == NormalKind::Poisson {
        return Vec::new();
    }
    let ratio = match kinds.damping {
        Damping::Inferred | Damping::Exact => "u solves (1 + e) u = ln((1 + u)/(1 − e u))",
        Damping::Flores => "u = 8 (1 − e)/(5 e)",
        Damping::Constant => return Vec::new(),
        Damping::EngelsonFraction => "u = (1 − e)/e",
        Damping::EngelsonPolynomial => "u = exp(s(e)), s the root of a cubic",
        Damping::HuntCrossley => "u = 3 (1 − e)/2",
        Damping::LankaraniNikravesh => "u = 3 (1 − e^2)/4",
        Damping::Gonthier => "u = (1 − e^2)/e",
        Damping::HuGuo => "u = 3 (1 − e)/(2 e)",
        Damping::HerbertMcWhannell => "u = 6 (1 − e)/((2 e − 1)^2 + 3)",
    };
    let speed = match (kinds.damping, kinds.impact_speed) {
        (Damping::Inferred, _) => {
            "d = u/v_0, v_0 the speed of the impact through the present δ and δ̇"
        }
        (_, ImpactSpeed::Plain) => "d = u/v_0, v_0 the speed at the start of the contact",
        (_, ImpactSpeed::Regularized) => {
            "d = u/reg(v_0, v_{small}), v_0 the speed at the start of the contact"
        }
    };
    let rule = match kinds.restitution {
        RestitutionRule::Regularized if kinds.damping == Damping::Inferred => {
            "e + (e_s − e) 0.01^{v_0/v_{small}} in place of e < 1, e_s = min(e, 1/4)"
        }
        RestitutionRule::Regularized => {
            "e + (e_s − e) 0.01^{v_0/v_{small}} in place of e, e_s = 0.001"
        }
        RestitutionRule::Threshold => "e for v_0 > v_{small}, else 0",
        RestitutionRule::Constant => "e at any speed",
    };
    vec![
        ("Damping coefficient", format!("{speed}; {ratio}")),
        ("Restitution", rule.to_owned()),
    ]
}

fn friction(kind: FrictionKind) -> &'static str {
    match kind {
        FrictionKind::Off => "f_t = 0",
        FrictionKind::Regularized => "f_t = −μ_k f_n v_t/reg(|v_t|, v_{small})",
        FrictionKind::Coulomb => {
            "f_t = −μ(|v_t|) f_n v_t/|v_t|, μ rises to μ_s at v_s, is μ_k from v_d on"
        }
        FrictionKind::CoulombDynamic => "f_t = −μ(|v_t|) f_n v_t/|v_t|, μ rises to μ_k at v_d",
        FrictionKind::Stick => {
            "|f_t| ≤ μ(|v_t|) f_n, by a spring k_t and a damper c_t that hold at rest; \
             μ is μ_s up to v_s and μ_k from v_d on"
        }
        FrictionKind::User(_) => "f_t: a function of the user",
    }
}

/// What the symbols of all laws mean.
pub const SYMBOLS: &str = "δ is the depth [m] and δ̇ its rate [m/s], positive while the bodies \
     approach; v_0 is the rate when the contact starts, v_t the slip velocity [m/s], ω the relative \
     angular velocity [rad/s], R the effective radius [m]; the parameter contact.k_{red} multiplies \
     f_n. reg(v, s) is v from s on, \
     v^2/s (1 − v/(3 s)) + s/3 below. STEP(x, x_0, h_0, x_1, h_1) goes smoothly from h_0 at x_0 to \
     h_1 at x_1.";

/// The symbol of a number of a law.
pub fn symbol(number: Number) -> String {
    match number {
        Number::Restitution => "e",
        Number::SlidingFriction => "μ_k",
        Number::StaticFriction => "μ_s",
        Number::RollingResistance => "μ_r",
        Number::SpinningResistance => "μ_n",
        Number::VSmall => "v_{small}",
        Number::WSmall => "ω_{small}",
        Number::Stiffness => "K",
        Number::Exponent => "n",
        Number::DampingCoefficient => "d",
        Number::LargestDamping => "c_{max}",
        Number::DampingDepth => "δ_{max}",
        Number::TransitionSpeed => "v_n",
        Number::StaticSpeed => "v_s",
        Number::DynamicSpeed => "v_d",
        Number::TangentialStiffness => "k_t",
        Number::TangentialDamping => "c_t",
        Number::LayerDepth1 => "h_1",
        Number::LayerDepth2 => "h_2",
        Number::StiffnessPerArea => "k_A",
        Number::Area => "A",
        Number::RestSpeed => "v_{rest}",
        Number::User(i) => return format!("p_{}", i + 1),
    }
    .to_owned()
}

/// Letters of a run that is a word or a function; the article is a word too.
const UPRIGHT_FROM: usize = 2;

/// A formula as HTML.
pub fn html(formula: &str) -> String {
    let letters: Vec<char> = formula.chars().collect();
    let mut out = String::new();
    let mut i = 0;
    while let Some(letter) = letters.get(i).copied() {
        i += 1;
        match letter {
            '_' | '^' => {
                let element = if letter == '_' { "sub" } else { "sup" };
                let (inner, next) = argument(&letters, i);
                i = next;
                out.push_str(&format!("<{element}>{}</{element}>", html(&inner)));
            }
            // A unit is no product of symbols.
            '[' => {
                let unit: String = letters[i..].iter().take_while(|c| **c != ']').collect();
                i += unit.chars().count();
                out.push_str(&format!("[{unit}"));
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            _ if letter.is_alphabetic() => {
                let is_word = |c: &&char| c.is_alphabetic() || is_mark(**c);
                let more = letters[i..].iter().take_while(is_word);
                let run: String = std::iter::once(&letter).chain(more).collect();
                i += run.chars().count() - 1;
                let count = run.chars().filter(|c| !is_mark(*c)).count();
                match count < UPRIGHT_FROM && run != "a" {
                    true => out.push_str(&format!("<i>{run}</i>")),
                    false => out.push_str(&run),
                }
            }
            _ => out.push(letter),
        }
    }
    out
}

/// Whether a character is set over the one before it.
fn is_mark(letter: char) -> bool {
    letter == '\u{307}'
}

/// What `_` or `^` takes, and the place after it.
fn argument(letters: &[char], from: usize) -> (String, usize) {
    if letters.get(from) != Some(&'{') {
        return (letters.get(from).iter().copied().collect(), from + 1);
    }
    let mut depth = 0;
    for (offset, letter) in letters[from..].iter().enumerate() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let end = from + offset;
            return (letters[from + 1..end].iter().collect(), end + 1);
        }
    }
    (letters[from + 1..].iter().collect(), letters.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_laws::quantity::Keyword;
    use contact_laws::response::LawKinds;
    use contact_laws::response::options::{LawOptions, Response};

    #[test]
    fn symbols_are_italic_and_functions_words_and_units_upright() {
        for (formula, expected) in [
            (
                "f_n = K δ^n",
                "<i>f</i><sub><i>n</i></sub> = <i>K</i> <i>δ</i><sup><i>n</i></sup>",
            ),
            ("d δ\u{307}", "<i>d</i> <i>δ\u{307}</i>"),
            ("v_{small}", "<i>v</i><sub>small</sub>"),
            ("x^{3/2}", "<i>x</i><sup>3/2</sup>"),
            (
                "0.01^{v_0/v_{small}}",
                "0.01<sup><i>v</i><sub>0</sub>/<i>v</i><sub>small</sub></sup>",
            ),
            ("max(a, 0) < 1 [m/s]", "max(a, 0) &lt; 1 [m/s]"),
        ] {
            assert_eq!(html(formula), expected);
        }
    }

    fn choice(
        normal: NormalKind,
        damping: Damping,
        friction: FrictionKind,
        response: Response,
    ) -> LawChoice {
        let kinds = LawKinds {
            normal,
            damping,
            friction,
            response,
            ..LawKinds::of_scene(&LawOptions::DEFAULT)
        };
        LawChoice::new(kinds, |_| Some(0.5)).unwrap()
    }

    /// Every number of a law is in one of its formulas, the layers of a material by their index.
    #[test]
    fn formulas_have_the_symbols_of_all_numbers_that_a_law_uses() {
        for (_, normal) in NormalKind::WORDS.iter().copied() {
            for (_, damping) in Damping::WORDS.iter().copied() {
                let frictions = FrictionKind::WORDS.iter().copied();
                let responses = Response::WORDS.iter().copied();
                for ((_, friction), (_, response)) in
                    frictions.flat_map(|friction| responses.clone().map(move |r| (friction, r)))
                {
                    let choice = choice(normal, damping, friction, response);
                    let formulas = equations(&choice);
                    let all: String = formulas.iter().map(|(_, f)| f.as_str()).collect();
                    for number in choice.used() {
                        let known = match number {
                            Number::LayerDepth1 | Number::LayerDepth2 => "h_i".to_owned(),
                            // Regularize what friction and rolling do not have here.
                            Number::VSmall | Number::WSmall => continue,
                            Number::User(_) => continue,
                            _ => symbol(number),
                        };
                        assert!(
                            all.contains(&known),
                            "{normal:?} {damping:?} {friction:?}: {known} in {all}"
                        );
                    }
                }
            }
        }
    }
}
