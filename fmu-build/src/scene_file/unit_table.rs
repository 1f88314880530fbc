//! The units that scene files may use, with their factors to SI.
//!
//! All factors are exact, from [NIST SP 811] appendix B.8: inch 0.0254 m and foot 0.3048 m, pound 0.45359237 kg
//! (international agreement of 1959), standard gravity 9.80665 m/s2; what else there is follows from these:
//! lbf = 4.4482216152605 N, psi = lbf/in2, slug = lbf.s2/ft, kip = 1000 lbf. A ratio has whole numbers above
//! and below, so that it is rounded once.
//!
//! [NIST SP 811]: Thompson, Taylor: Guide for the Use of the International System of Units, 2008 edition.

use std::f64::consts::PI;

/// A physical quantity as scene files write it. The SI unit, which comes first, names it: the same one
/// that types of variables have.
pub struct Quantity {
    /// With its article.
    pub(super) words: &'static str,
    /// Values as a scene file has them.
    pub(super) examples: &'static str,
    pub(super) units: &'static [Unit],
}

/// One unit: SI value = number * 10^exponent * numerator / denominator.
pub(super) struct Unit {
    pub symbol: &'static str,
    pub exponent: i32,
    pub numerator: f64,
    pub denominator: f64,
}

const fn decimal(symbol: &'static str, exponent: i32) -> Unit {
    ratio(symbol, exponent, 1.0, 1.0)
}

const fn ratio(symbol: &'static str, exponent: i32, numerator: f64, denominator: f64) -> Unit {
    Unit {
        symbol,
        exponent,
        numerator,
        denominator,
    }
}

/// All quantities.
#[rustfmt::skip]
pub(super) static QUANTITIES: [Quantity; 24] = [
    Quantity { words: "a length", examples: "0.2 or \"200 mm\"", units: &[
        decimal("m", 0), decimal("km", 3), decimal("dm", -1), decimal("cm", -2), decimal("mm", -3),
        decimal("um", -6), decimal("nm", -9), ratio("in", 0, 254.0, 10_000.0),
        ratio("inch", 0, 254.0, 10_000.0), ratio("ft", 0, 3048.0, 10_000.0), ratio("yd", 0, 9144.0, 10_000.0),
        ratio("mi", 0, 1_609_344.0, 1000.0), ratio("mil", 0, 254.0, 1e7),
    ] },
    Quantity { words: "an angle", examples: "0.5 or \"30 deg\"", units: &[
        decimal("rad", 0), decimal("mrad", -3), ratio("deg", 0, PI, 180.0), ratio("rev", 0, 2.0 * PI, 1.0),
        ratio("arcmin", 0, PI, 10_800.0), ratio("arcsec", 0, PI, 648_000.0), ratio("gon", 0, PI, 200.0),
    ] },
    Quantity { words: "a mass", examples: "2 or \"500 g\"", units: &[
        decimal("kg", 0), decimal("g", -3), decimal("mg", -6), decimal("ug", -9), decimal("t", 3),
        ratio("lb", 0, 45_359_237.0, 1e8), ratio("oz", 0, 28_349_523_125.0, 1e12),
        ratio("slug", 0, 8_896_443_230_521.0, 609_600_000_000.0),
    ] },
    Quantity { words: "a time", examples: "0.01 or \"10 ms\"", units: &[
        decimal("s", 0), decimal("ms", -3), decimal("us", -6), decimal("ns", -9), ratio("min", 0, 60.0, 1.0),
        ratio("h", 0, 3600.0, 1.0), ratio("d", 0, 86_400.0, 1.0),
    ] },
    Quantity { words: "a velocity", examples: "2 or \"1.5 km/h\"", units: &[
        decimal("m/s", 0), decimal("mm/s", -3), decimal("cm/s", -2), decimal("km/s", 3),
        ratio("km/h", 3, 1.0, 3600.0), ratio("m/min", 0, 1.0, 60.0), ratio("mm/min", 0, 1.0, 60_000.0),
        ratio("in/s", 0, 254.0, 10_000.0), ratio("ft/s", 0, 3048.0, 10_000.0),
        ratio("mph", 0, 44_704.0, 100_000.0),
    ] },
    Quantity { words: "an angular velocity", examples: "10 or \"90 deg/s\"", units: &[
        decimal("rad/s", 0), decimal("mrad/s", -3), ratio("deg/s", 0, PI, 180.0), ratio("rpm", 0, PI, 30.0),
        ratio("rev/min", 0, PI, 30.0), ratio("rev/s", 0, 2.0 * PI, 1.0),
    ] },
    Quantity { words: "an acceleration", examples: "-9.81 or \"20 mm/s2\"", units: &[
        decimal("m/s2", 0), decimal("mm/s2", -3), decimal("cm/s2", -2), ratio("in/s2", 0, 254.0, 10_000.0),
        ratio("ft/s2", 0, 3048.0, 10_000.0), ratio("gn", 0, 980_665.0, 100_000.0),
    ] },
    Quantity { words: "a density", examples: "8000 or \"8 g/cm3\"", units: &[
        decimal("kg/m3", 0), decimal("kg/dm3", 3), decimal("kg/l", 3), decimal("kg/cm3", 6), decimal("g/cm3", 3), decimal("g/mm3", 6),
        decimal("t/m3", 3), decimal("kg/mm3", 9), decimal("t/mm3", 12),
        ratio("lb/in3", 0, 56_699_046_250.0, 2_048_383.0),
        ratio("lb/ft3", 0, 28_349_523_125.0, 1_769_802_912.0),
        ratio("slug/ft3", 0, 5_560_277_019_075_625.0, 10_788_718_551_552.0),
    ] },
    Quantity { words: "a pressure", examples: "2e11 or \"210 GPa\"", units: &[
        decimal("Pa", 0), decimal("hPa", 2), decimal("kPa", 3), decimal("MPa", 6), decimal("GPa", 9),
        decimal("mbar", 2), decimal("bar", 5), decimal("N/m2", 0), decimal("N/cm2", 4), decimal("N/mm2", 6),
        decimal("kN/m2", 3), decimal("kN/mm2", 9), ratio("atm", 0, 101_325.0, 1.0),
        ratio("psi", 0, 8_896_443_230_521.0, 1_290_320_000.0),
        ratio("ksi", 0, 8_896_443_230_521.0, 1_290_320.0),
        ratio("lbf/in2", 0, 8_896_443_230_521.0, 1_290_320_000.0),
        ratio("lbf/ft2", 0, 8_896_443_230_521.0, 185_806_080_000.0),
    ] },
    Quantity { words: "a moment of inertia", examples: "0.1 or \"200 kg.mm2\"", units: &[
        decimal("kg.m2", 0), decimal("kg.cm2", -4), decimal("kg.mm2", -6), decimal("g.m2", -3),
        decimal("g.cm2", -7), decimal("g.mm2", -9), decimal("t.mm2", -3),
        ratio("lb.in2", 0, 2_926_396_534_292.0, 1e16), ratio("lb.ft2", 0, 421_401_100_938_048.0, 1e16),
        ratio("slug.ft2", 0, 13_558_179_483_314_004.0, 1e16),
    ] },
    Quantity { words: "a damping coefficient", examples: "1000 or \"1 s/mm\"", units: &[
        decimal("s/m", 0), decimal("s/cm", 2), decimal("s/mm", 3), ratio("s/in", 0, 5000.0, 127.0),
        ratio("s/ft", 0, 1250.0, 381.0),
    ] },
    Quantity { words: "a gravitational parameter", examples: "3.986e14 or \"398600 km3/s2\"", units: &[
        decimal("m3/s2", 0), decimal("km3/s2", 9),
    ] },
    Quantity { words: "a force", examples: "5 or \"1 kN\"", units: &[
        decimal("N", 0), decimal("uN", -6), decimal("mN", -3), decimal("kN", 3), decimal("MN", 6),
        decimal("dyn", -5), ratio("kgf", 0, 980_665.0, 100_000.0), ratio("lbf", 0, 44_482_216_152_605.0, 1e13),
        ratio("kip", 0, 44_482_216_152_605.0, 1e10),
    ] },
    Quantity { words: "an area", examples: "0.01 or \"100 cm2\"", units: &[
        decimal("m2", 0), decimal("dm2", -2), decimal("cm2", -4), decimal("mm2", -6), decimal("um2", -12),
        ratio("in2", 0, 64_516.0, 1e8), ratio("ft2", 0, 9_290_304.0, 1e8),
    ] },
    Quantity { words: "a stiffness", examples: "1e6 or \"1 kN/mm\"", units: &[
        decimal("N/m", 0), decimal("kN/m", 3), decimal("MN/m", 6), decimal("N/cm", 2), decimal("N/mm", 3),
        decimal("kN/mm", 6), decimal("N/um", 6), ratio("lbf/in", 0, 8_896_443_230_521.0, 50_800_000_000.0),
        ratio("lbf/ft", 0, 8_896_443_230_521.0, 609_600_000_000.0),
    ] },
    Quantity { words: "a stiffness per area", examples: "1e9 or \"1 N/mm3\"", units: &[
        decimal("N/m3", 0), decimal("N/mm3", 9), decimal("kN/mm3", 12), decimal("N/cm3", 6), decimal("Pa/m", 0),
        decimal("MPa/m", 6), decimal("GPa/m", 9), decimal("MPa/mm", 9),
        ratio("lbf/in3", 0, 8_896_443_230_521.0, 32_774_128.0),
    ] },
    Quantity { words: "a linear damping", examples: "100 or \"0.1 N.s/mm\"", units: &[
        decimal("N.s/m", 0), decimal("kN.s/m", 3), decimal("N.s/mm", 3),
        ratio("lbf.s/in", 0, 8_896_443_230_521.0, 50_800_000_000.0),
        ratio("lbf.s/ft", 0, 8_896_443_230_521.0, 609_600_000_000.0),
    ] },
    Quantity { words: "a torque", examples: "0.5 or \"20 N.mm\"", units: &[
        decimal("N.m", 0), decimal("mN.m", -3), decimal("N.mm", -3), decimal("N.cm", -2), decimal("kN.m", 3),
        decimal("MN.m", 6), ratio("kgf.m", 0, 980_665.0, 100_000.0),
        ratio("lbf.in", 0, 1_129_848_290_276_167.0, 1e16), ratio("in.lbf", 0, 1_129_848_290_276_167.0, 1e16),
        ratio("lbf.ft", 0, 13_558_179_483_314_004.0, 1e16), ratio("ft.lbf", 0, 13_558_179_483_314_004.0, 1e16),
    ] },
    Quantity { words: "a rotational stiffness", examples: "10 or \"0.2 N.m/deg\"", units: &[
        decimal("N.m/rad", 0), decimal("N.mm/rad", -3), decimal("kN.m/rad", 3), ratio("N.m/deg", 0, 180.0, PI),
        ratio("N.mm/deg", -3, 180.0, PI), ratio("kN.m/deg", 3, 180.0, PI),
        ratio("lbf.in/rad", 0, 1_129_848_290_276_167.0, 1e16),
        ratio("lbf.ft/rad", 0, 13_558_179_483_314_004.0, 1e16),
    ] },
    Quantity { words: "a rotational damping", examples: "0.1 or \"20 N.mm.s/rad\"", units: &[
        decimal("N.m.s/rad", 0), decimal("N.m.s", 0), decimal("N.mm.s/rad", -3), decimal("kN.m.s/rad", 3),
        ratio("N.m.s/deg", 0, 180.0, PI), ratio("N.mm.s/deg", -3, 180.0, PI),
        ratio("lbf.in.s/rad", 0, 1_129_848_290_276_167.0, 1e16),
        ratio("lbf.ft.s/rad", 0, 13_558_179_483_314_004.0, 1e16),
    ] },
    Quantity { words: "an impulse", examples: "5 or \"2 kN.s\"", units: &[
        decimal("N.s", 0), decimal("mN.s", -3), decimal("kN.s", 3), decimal("kg.m/s", 0),
        ratio("lbf.s", 0, 44_482_216_152_605.0, 1e13),
    ] },
    Quantity { words: "a moment of impulse", examples: "0.1 or \"20 N.mm.s\"", units: &[
        decimal("N.m.s", 0), decimal("N.mm.s", -3), decimal("kN.m.s", 3), decimal("kg.m2/s", 0),
        ratio("lbf.ft.s", 0, 13_558_179_483_314_004.0, 1e16),
    ] },
    Quantity { words: "a frequency", examples: "50 or \"1 kHz\"", units: &[
        decimal("Hz", 0), decimal("mHz", -3), decimal("kHz", 3), decimal("1/s", 0),
    ] },
    Quantity { words: "a number", examples: "0.5 or \"50 %\"", units: &[
        decimal("1", 0), decimal("%", -2),
    ] },
];
