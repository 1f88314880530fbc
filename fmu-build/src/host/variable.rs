//! A variable of an FMU, one element of ModelVariables.

use super::xml::Element;
use std::collections::BTreeMap;
use std::fmt;

/// Type of a variable.
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
    /// All types with the names of their elements.
    const NAMES: [(&'static str, DataType); 15] = [
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

    pub(super) fn from_name(name: &str) -> Option<DataType> {
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|e| e.1)
    }

    /// Whether values can be shown as numbers.
    pub fn is_numeric(self) -> bool {
        !matches!(self, DataType::String | DataType::Binary | DataType::Clock)
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, t)| t == self);
        f.write_str(name.map_or("", |(n, _)| n))
    }
}

/// Extent of an array variable along one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Given.
    Fixed(usize),
    /// The value of the structural parameter with this value reference.
    Parameter(u32),
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Unique name.
    pub name: String,
    /// Value reference.
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
    /// Value reference of the variable that this one is the derivative of.
    pub derivative_of: Option<u32>,
    /// Extents of an array; none for a scalar.
    pub dimensions: Vec<Dimension>,
}

impl Variable {
    /// Reads the element of a variable; `types` are the elements of TypeDefinitions by name.
    ///
    /// # Errors
    /// A missing or unreadable attribute, an unknown declared type.
    pub(super) fn read(
        element: &Element,
        data_type: DataType,
        types: &BTreeMap<&str, &Element>,
    ) -> Result<Variable, String> {
        let declared = match element.attribute("declaredType") {
            None => None,
            Some(name) => Some(*types.get(name).ok_or_else(|| {
                format!(
                    "{} has declaredType={name:?}, which TypeDefinitions does not have",
                    element.label()
                )
            })?),
        };
        let own_or_declared = |name| {
            let own = element.attribute(name);
            own.or_else(|| declared.and_then(|d| d.attribute(name)))
        };
        let nominal = match element.optional("nominal")? {
            Some(nominal) => Some(nominal),
            None => declared.map_or(Ok(None), |d| d.optional("nominal"))?,
        };
        let default_variability = match data_type {
            DataType::Float64 | DataType::Float32 => "continuous",
            _ => "discrete",
        };
        let causality = element.attribute("causality").unwrap_or("local");
        let default_variability = match causality {
            "parameter" | "calculatedParameter" | "structuralParameter" => "fixed",
            _ => default_variability,
        };
        let mut dimensions = Vec::new();
        for dimension in element.children.iter().filter(|c| c.name == "Dimension") {
            dimensions.push(match dimension.optional("start")? {
                Some(extent) => Dimension::Fixed(extent),
                None => Dimension::Parameter(dimension.number("valueReference")?),
            });
        }
        let start = element
            .attribute("start")
            .or_else(|| element.child("Start").and_then(|s| s.attribute("value")));
        Ok(Variable {
            name: element.required("name")?,
            reference: element.number("valueReference")?,
            data_type,
            causality: causality.to_owned(),
            variability: element
                .attribute("variability")
                .unwrap_or(default_variability)
                .to_owned(),
            start: start.map(str::to_owned),
            unit: own_or_declared("unit").map(str::to_owned),
            description: own_or_declared("description").map(str::to_owned),
            nominal,
            derivative_of: element.optional("derivative")?,
            dimensions,
        })
    }
}
