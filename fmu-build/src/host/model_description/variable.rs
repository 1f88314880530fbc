//! A variable of an FMU, one element of ModelVariables.

use super::xml::Element;
use fmu_core::instance::Standard;
use std::collections::BTreeMap;

/// Type of a variable, by its name in FMI 3.0. FMI 2.0 has
/// Real (Float64), Integer (Int32), Boolean, String and Enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum DataType {
    Float64,
    Float32,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Boolean,
    String,
    Binary,
    Enumeration,
    Clock,
}

impl DataType {
    /// All types of FMI 3.0 with the names of their elements.
    const NAMES_FMI3: [(&'static str, DataType); 15] = [
        ("Float64", DataType::Float64),
        ("Float32", DataType::Float32),
        ("Int8", DataType::Int8),
        ("UInt8", DataType::UInt8),
        ("Int16", DataType::Int16),
        ("UInt16", DataType::UInt16),
        ("Int32", DataType::Int32),
        ("UInt32", DataType::UInt32),
        ("Int64", DataType::Int64),
        ("UInt64", DataType::UInt64),
        ("Boolean", DataType::Boolean),
        ("String", DataType::String),
        ("Binary", DataType::Binary),
        ("Enumeration", DataType::Enumeration),
        ("Clock", DataType::Clock),
    ];

    /// All types of FMI 2.0 with the names of their elements.
    const NAMES_FMI2: [(&'static str, DataType); 5] = [
        ("Real", DataType::Float64),
        ("Integer", DataType::Int32),
        ("Boolean", DataType::Boolean),
        ("String", DataType::String),
        ("Enumeration", DataType::Enumeration),
    ];

    fn names(standard: Standard) -> &'static [(&'static str, DataType)] {
        match standard {
            Standard::Fmi2 => &Self::NAMES_FMI2,
            Standard::Fmi3 => &Self::NAMES_FMI3,
        }
    }

    pub(super) fn from_name(standard: Standard, name: &str) -> Option<DataType> {
        let mut names = Self::names(standard).iter();
        names.find(|(n, _)| *n == name).map(|e| e.1)
    }

    /// Name in the model description of a version; empty for a type that the version does not have.
    pub fn name(self, standard: Standard) -> &'static str {
        let mut names = Self::names(standard).iter();
        names.find(|(_, t)| *t == self).map_or("", |e| e.0)
    }

    /// Whether values can be shown as numbers.
    pub fn is_numeric(self) -> bool {
        !matches!(self, DataType::String | DataType::Binary | DataType::Clock)
    }
}

/// Extent of an array variable along one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Given.
    Fixed(usize),
    /// The value of the structural parameter with this index in the list of variables.
    Parameter(usize),
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Unique name.
    pub name: String,
    /// Value reference. FMI 2.0 may give one to several variables: of different types, which have
    /// different values, or of one type, which share the value.
    pub reference: u32,
    /// Type.
    pub data_type: DataType,
    /// `parameter`, `input`, `output` ...; `local` where not given.
    pub causality: String,
    /// `fixed`, `discrete`, `continuous` ...; the default of its type where not given.
    pub variability: String,
    /// Start value as written.
    pub start: Option<String>,
    /// Unit, the variable's own or that of its declared type.
    pub unit: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Nominal value, the variable's own or that of its declared type.
    pub nominal: Option<f64>,
    /// Index in the list of variables of the one that this is the derivative of.
    pub derivative_of: Option<usize>,
    /// Names and numbers of the values of an enumeration, or of an integer parameter whose
    /// description lists them: "formula: 1 (auto), 2 (explicit)".
    pub items: Vec<(String, f64)>,
    /// Extents of an array; none for a scalar.
    pub dimensions: Vec<Dimension>,
}

/// An element with the part of it that depends on its type: in FMI 3.0 the element itself, in
/// FMI 2.0 its child, `<ScalarVariable><Real/></ScalarVariable>`.
#[derive(Clone, Copy)]
pub(super) struct Typed<'a> {
    /// The element.
    pub element: &'a Element,
    /// What depends on the type.
    pub body: &'a Element,
    /// Type.
    pub data_type: DataType,
}

impl<'a> Typed<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        let own = self.element.attribute(name);
        own.or_else(|| self.body.attribute(name))
    }
}

impl Variable {
    /// Start values of its entries, 0 where it gives none.
    pub fn starts(&self, size: usize) -> impl Iterator<Item = f64> + use<> {
        let text = self.start.as_deref().unwrap_or("");
        let words = text.split_whitespace();
        let given: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
        // One value may be given for all.
        (0..size).map(move |i| given.get(i).or(given.last()).copied().unwrap_or(0.0))
    }

    /// Reads a variable but for what it says about other variables: `derivative_of` and
    /// `dimensions` are empty. `types` are the declared types by name.
    ///
    /// # Errors
    /// A missing or unreadable attribute, an unknown declared type.
    pub(super) fn read(
        variable: Typed<'_>,
        types: &BTreeMap<&str, Typed<'_>>,
    ) -> Result<Variable, String> {
        let Typed {
            element,
            body,
            data_type,
        } = variable;
        let declared = match body.attribute("declaredType") {
            None => None,
            Some(name) => Some(types.get(name).ok_or_else(|| {
                format!(
                    "{} has declaredType={name:?}, which TypeDefinitions does not have",
                    element.label()
                )
            })?),
        };
        let own_or_declared = |name| {
            let own = variable.attribute(name);
            let text = own.or_else(|| declared.and_then(|d| d.attribute(name)));
            text.map(str::to_owned)
        };
        let nominal = match body.optional("nominal")? {
            Some(nominal) => Some(nominal),
            None => declared.map_or(Ok(None), |d| d.body.optional("nominal"))?,
        };
        let causality = element.attribute("causality").unwrap_or("local");
        let description = own_or_declared("description");
        let items = match (data_type, declared, &description) {
            (DataType::Enumeration, Some(declared), _) => items(declared.body),
            (DataType::Int32, _, Some(text)) if causality == "parameter" => listed(text),
            _ => Vec::new(),
        };
        let default_variability = match (causality, data_type) {
            ("parameter" | "calculatedParameter" | "structuralParameter", _) => "fixed",
            (_, DataType::Float64 | DataType::Float32) => "continuous",
            _ => "discrete",
        };
        let variability = element.attribute("variability");
        let start = body
            .attribute("start")
            .or_else(|| body.child("Start").and_then(|s| s.attribute("value")));
        Ok(Variable {
            name: element.required("name")?,
            reference: element.number("valueReference")?,
            data_type,
            causality: causality.to_owned(),
            variability: variability.unwrap_or(default_variability).to_owned(),
            start: start.map(str::to_owned),
            unit: own_or_declared("unit"),
            description,
            nominal,
            derivative_of: None,
            items,
            dimensions: Vec::new(),
        })
    }
}

/// Names and numbers of the items of an enumeration; an item without both is left away.
fn items(declared: &Element) -> Vec<(String, f64)> {
    let items = declared
        .children
        .iter()
        .filter(|child| child.name == "Item");
    let item = |item: &Element| {
        let number: i32 = item.attribute("value")?.trim().parse().ok()?;
        Some((item.attribute("name")?.to_owned(), f64::from(number)))
    };
    items.filter_map(item).collect()
}

/// Words and numbers that a description lists.
fn listed(description: &str) -> Vec<(String, f64)> {
    let item = |part: &str| {
        let (number, rest) = part.trim().split_once(" (")?;
        let (word, _) = rest.split_once(')')?;
        let number: i32 = number.parse().ok()?;
        Some((word.to_owned(), f64::from(number)))
    };
    description.split([':', ',']).filter_map(item).collect()
}
