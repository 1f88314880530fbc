//! Reads the values of chosen variables as numbers, whatever their type.
#![allow(unsafe_code)]

use super::c_api::Getter;
use super::error::{HostError, words};
use super::instance::core::LiveInstance;
use super::library::Library;
use super::model_description::{DataType, ModelDescription, Variable, entry_name};
use super::trajectory::Column;
use fmu_core::instance::Standard;

/// Bytes that names, units and descriptions of columns have at most; each entry of an array repeats
/// those of the variable.
const MAX_TEXT: usize = 1 << 28;

/// The chosen variables, as columns in their order.
pub(crate) struct Reader {
    columns: Vec<Column>,
    batches: Vec<Batch>,
}

/// Variables of one type, read by one call.
struct Batch {
    references: Vec<u32>,
    /// Column of each value.
    targets: Vec<usize>,
    source: Source,
}

/// A getter with room for what it reads.
enum Source {
    Float64(TypedGetter<f64>),
    Float32(TypedGetter<f32>),
    Int8(TypedGetter<i8>),
    UInt8(TypedGetter<u8>),
    Int16(TypedGetter<i16>),
    UInt16(TypedGetter<u16>),
    Int32(TypedGetter<i32>),
    UInt32(TypedGetter<u32>),
    Int64(TypedGetter<i64>),
    UInt64(TypedGetter<u64>),
    /// A byte: see `c_api::fmi3`.
    Boolean(TypedGetter<u8>),
    /// The integer that a boolean of FMI 2.0 is.
    Fmi2Boolean(TypedGetter<i32>),
}

struct TypedGetter<T> {
    name: &'static str,
    getter: Getter<T>,
    buffer: Vec<T>,
}

impl Reader {
    /// A reader of these variables. Those that have no numbers are left away.
    ///
    /// # Errors
    /// A getter that the library lacks; an array of unknown size.
    pub fn new(
        library: &Library,
        description: &ModelDescription,
        variables: &[&Variable],
    ) -> Result<Reader, HostError> {
        let columns = columns(description, variables)?;
        Ok(Reader {
            columns,
            ..Self::without_names(library, description, variables)?
        })
    }

    /// A reader of values whose columns have no names: of large arrays.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn without_names(
        library: &Library,
        description: &ModelDescription,
        variables: &[&Variable],
    ) -> Result<Reader, HostError> {
        let mut count = 0;
        // One batch for each type, in the order of the types.
        let mut members: Vec<(DataType, Vec<u32>, Vec<usize>)> = Vec::new();
        for variable in variables.iter().filter(|v| v.data_type.is_numeric()) {
            let size = description.size(variable).map_err(HostError::Run)?;
            let known = members.iter().position(|(t, ..)| *t == variable.data_type);
            let index = known.unwrap_or(members.len());
            if known.is_none() {
                members.push((variable.data_type, Vec::new(), Vec::new()));
            }
            let (_, references, targets) = &mut members[index];
            references.push(variable.reference);
            targets.extend(count..count + size);
            count += size;
        }
        let batch = |(data_type, references, targets): (DataType, Vec<u32>, Vec<usize>)| {
            Ok(Batch {
                source: Source::find(library, data_type, targets.len())?,
                references,
                targets,
            })
        };
        Ok(Reader {
            columns: Vec::new(),
            batches: members
                .into_iter()
                .map(batch)
                .collect::<Result<_, HostError>>()?,
        })
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Reads all values into `row`, one for each column.
    ///
    /// # Errors
    /// A failed call; a value that is not a number, with its name.
    pub fn read(
        &mut self,
        instance: &LiveInstance,
        time: f64,
        row: &mut [f64],
    ) -> Result<(), HostError> {
        for batch in &mut self.batches {
            let (references, targets) = (&batch.references, &batch.targets);
            batch.source.read(instance, references, |entry, value| {
                row[targets[entry]] = value;
            })?;
        }
        match row.iter().position(|v| v.is_nan()) {
            None => Ok(()),
            Some(index) => Err(HostError::Run(format!(
                "{} is not a number (NaN) at t = {time} s",
                self.columns
                    .get(index)
                    .map_or("a value of a group of balls", |column| &column.name)
            ))),
        }
    }
}

/// The columns of these variables, without those that have no numbers.
fn columns(
    description: &ModelDescription,
    variables: &[&Variable],
) -> Result<Vec<Column>, HostError> {
    let mut columns = Vec::new();
    let mut text = 0_usize;
    for variable in variables.iter().filter(|v| v.data_type.is_numeric()) {
        let extents = description.extents(variable).map_err(HostError::Run)?;
        let size = description.size(variable).map_err(HostError::Run)?;
        let [unit, words] = [&variable.unit, &variable.description]
            .map(|text| text.as_ref().map_or(0, String::len));
        let of_entry = variable.name.len() + unit + words;
        text = text.saturating_add(of_entry.saturating_mul(size));
        if text > MAX_TEXT {
            return Err(HostError::Run(format!(
                "names and descriptions of the columns up to {:?} take more than {} MiB; give \
                 arrays shorter ones",
                variable.name,
                MAX_TEXT >> 20
            )));
        }
        columns.extend((0..size).map(|entry| Column {
            name: entry_name(&variable.name, &extents, entry),
            unit: variable.unit.clone(),
            description: variable.description.clone(),
        }));
    }
    Ok(columns)
}

impl<T: Copy + Default> TypedGetter<T> {
    /// # Safety
    /// `name` is the getter of the standard for values of type `T`.
    unsafe fn find(library: &Library, name: &'static str, size: usize) -> Result<Self, HostError> {
        Ok(TypedGetter {
            name,
            // SAFETY: as the caller promises; a reader is used with an instance, which keeps its
            // library open.
            getter: unsafe { library.getter(name)? },
            buffer: vec![T::default(); size],
        })
    }

    fn read(
        &mut self,
        instance: &LiveInstance,
        references: &[u32],
        number: impl Fn(T) -> f64,
        mut put: impl FnMut(usize, f64),
    ) -> Result<(), HostError> {
        // SAFETY: `getter` was found under `name`, see `find`.
        unsafe { instance.get(self.name, &self.getter, references, &mut self.buffer)? };
        for (entry, value) in self.buffer.iter().enumerate() {
            put(entry, number(*value));
        }
        Ok(())
    }
}

impl Source {
    fn find(library: &Library, data_type: DataType, size: usize) -> Result<Source, HostError> {
        match library.standard() {
            Standard::Fmi2 => Self::find_fmi2(library, data_type, size),
            Standard::Fmi3 => Self::find_fmi3(library, data_type, size),
        }
    }

    fn find_fmi2(library: &Library, data_type: DataType, size: usize) -> Result<Source, HostError> {
        // SAFETY: names and types are those of the getters in fmi2FunctionTypes.h. An enumeration
        // is read as an integer [FMI 2.0] 2.2.7.
        unsafe {
            Ok(match data_type {
                DataType::Float64 => {
                    Source::Float64(TypedGetter::find(library, "fmi2GetReal", size)?)
                }
                DataType::Int32 | DataType::Enumeration => {
                    Source::Int32(TypedGetter::find(library, "fmi2GetInteger", size)?)
                }
                DataType::Boolean => {
                    Source::Fmi2Boolean(TypedGetter::find(library, "fmi2GetBoolean", size)?)
                }
                other => return Err(no_numbers(library, other)),
            })
        }
    }

    fn find_fmi3(library: &Library, data_type: DataType, size: usize) -> Result<Source, HostError> {
        // SAFETY: names and types are those of the getters in fmi3FunctionTypes.h. An enumeration
        // is read as Int64 [FMI 3.0] 2.2.6.2; a boolean has the size of a byte there.
        unsafe {
            Ok(match data_type {
                DataType::Float64 => {
                    Source::Float64(TypedGetter::find(library, "fmi3GetFloat64", size)?)
                }
                DataType::Float32 => {
                    Source::Float32(TypedGetter::find(library, "fmi3GetFloat32", size)?)
                }
                DataType::Int8 => Source::Int8(TypedGetter::find(library, "fmi3GetInt8", size)?),
                DataType::UInt8 => Source::UInt8(TypedGetter::find(library, "fmi3GetUInt8", size)?),
                DataType::Int16 => Source::Int16(TypedGetter::find(library, "fmi3GetInt16", size)?),
                DataType::UInt16 => {
                    Source::UInt16(TypedGetter::find(library, "fmi3GetUInt16", size)?)
                }
                DataType::Int32 => Source::Int32(TypedGetter::find(library, "fmi3GetInt32", size)?),
                DataType::UInt32 => {
                    Source::UInt32(TypedGetter::find(library, "fmi3GetUInt32", size)?)
                }
                DataType::Int64 | DataType::Enumeration => {
                    Source::Int64(TypedGetter::find(library, "fmi3GetInt64", size)?)
                }
                DataType::UInt64 => {
                    Source::UInt64(TypedGetter::find(library, "fmi3GetUInt64", size)?)
                }
                DataType::Boolean => {
                    Source::Boolean(TypedGetter::find(library, "fmi3GetBoolean", size)?)
                }
                other @ (DataType::String | DataType::Binary | DataType::Clock) => {
                    return Err(no_numbers(library, other));
                }
            })
        }
    }

    fn read(
        &mut self,
        instance: &LiveInstance,
        references: &[u32],
        put: impl FnMut(usize, f64),
    ) -> Result<(), HostError> {
        match self {
            Source::Float64(t) => t.read(instance, references, |v| v, put),
            Source::Float32(t) => t.read(instance, references, f64::from, put),
            Source::Int8(t) => t.read(instance, references, f64::from, put),
            Source::UInt8(t) => t.read(instance, references, f64::from, put),
            Source::Int16(t) => t.read(instance, references, f64::from, put),
            Source::UInt16(t) => t.read(instance, references, f64::from, put),
            Source::Int32(t) => t.read(instance, references, f64::from, put),
            Source::UInt32(t) => t.read(instance, references, f64::from, put),
            // Beyond 2^53 the nearest number; a plot shows no more.
            Source::Int64(t) => t.read(instance, references, |v| v as f64, put),
            Source::UInt64(t) => t.read(instance, references, |v| v as f64, put),
            Source::Boolean(t) => t.read(instance, references, |v| f64::from(v != 0), put),
            Source::Fmi2Boolean(t) => t.read(instance, references, |v| f64::from(v != 0), put),
        }
    }
}

fn no_numbers(library: &Library, data_type: DataType) -> HostError {
    let (version, _) = words(library.standard());
    HostError::Run(format!("{version} has no numbers of type {data_type:?}"))
}
