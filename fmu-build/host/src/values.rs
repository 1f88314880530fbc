//! Reads variables of any type as numbers.
#![allow(unsafe_code)]

use super::c_api::Access;
use super::error::{HostError, words};
use super::instance::LiveInstance;
use super::library::Library;
use super::model_description::{DataType, ModelDescription, Variable, entry_name};
use super::trajectory::Column;
use fmu_core::instance::Standard;

/// Maximum size of names, units and descriptions of columns [bytes]; each entry of an array repeats those of
/// the variable.
const MAX_TEXT: usize = 1 << 28;

pub(crate) struct Reader {
    columns: Vec<Column>,
    batches: Vec<Batch>,
}

/// Variables of one type, read by one call.
struct Batch {
    references: Vec<u32>,
    targets: Vec<usize>,
    source: Box<dyn Source>,
}

trait Source: Send {
    /// Reads the values of variables into these columns of a row.
    fn read(
        &mut self,
        instance: &LiveInstance,
        references: &[u32],
        targets: &[usize],
        row: &mut [f64],
    ) -> Result<(), HostError>;
}

struct TypedGetter<T> {
    getter: Access<*mut T>,
    buffer: Vec<T>,
    number: fn(T) -> f64,
}

impl Reader {
    /// Reader of these variables, without those that are not numeric.
    ///
    /// # Errors
    /// A getter that the library lacks; an array of unknown size.
    pub(crate) fn new(
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

    /// Reader of columns without names, for large arrays.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(crate) fn without_names(
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
                source: source(library, data_type, targets.len())?,
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

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Reads all values into `row`, one for each column.
    ///
    /// # Errors
    /// A failed call; a value that is not a number, with its name.
    pub(crate) fn read(
        &mut self,
        instance: &LiveInstance,
        time: f64,
        row: &mut [f64],
    ) -> Result<(), HostError> {
        for batch in &mut self.batches {
            let (references, targets) = (&batch.references, &batch.targets);
            batch.source.read(instance, references, targets, row)?;
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

/// Columns of these variables, without those that are not numeric.
pub(crate) fn columns(
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

impl<T: Copy + Send> Source for TypedGetter<T> {
    fn read(
        &mut self,
        instance: &LiveInstance,
        references: &[u32],
        targets: &[usize],
        row: &mut [f64],
    ) -> Result<(), HostError> {
        // SAFETY: the getter is one of the library of the instance, see `typed`.
        unsafe { instance.get(&self.getter, references, &mut self.buffer)? };
        for (target, value) in targets.iter().zip(&self.buffer) {
            row[*target] = (self.number)(*value);
        }
        Ok(())
    }
}

/// # Safety
/// `names` are the getters of FMI 2.0 and FMI 3.0 for values of type `T`.
unsafe fn typed<T: Copy + Default + Send + 'static>(
    library: &Library,
    names: [&'static str; 2],
    size: usize,
    number: fn(T) -> f64,
) -> Result<Box<dyn Source>, HostError> {
    Ok(Box::new(TypedGetter {
        // SAFETY: as the caller promises; a reader is used with an instance, which keeps its
        // library open.
        getter: unsafe { library.access(names)? },
        buffer: vec![T::default(); size],
        number,
    }))
}

fn source(
    library: &Library,
    data_type: DataType,
    size: usize,
) -> Result<Box<dyn Source>, HostError> {
    use DataType as Type;
    let is_fmi3 = library.standard() == Standard::Fmi3;
    // SAFETY: names and types are those of the getters in fmi2FunctionTypes.h and fmi3FunctionTypes.h. An
    // enumeration is read as an integer [FMI 2.0] 2.2.7, as Int64 [FMI 3.0] 2.2.6.2; a boolean is an integer
    // in FMI 2.0 and has the size of a byte in FMI 3.0.
    unsafe {
        let integer = ["fmi2GetInteger", "fmi3GetInt32"];
        let boolean = ["fmi2GetBoolean", "fmi3GetBoolean"];
        match data_type {
            Type::Float64 => {
                typed::<f64>(library, ["fmi2GetReal", "fmi3GetFloat64"], size, f64::from)
            }
            Type::Int32 => typed::<i32>(library, integer, size, f64::from),
            Type::Boolean if is_fmi3 => typed::<u8>(library, boolean, size, |v| f64::from(v != 0)),
            Type::Boolean => typed::<i32>(library, boolean, size, |v| f64::from(v != 0)),
            Type::Enumeration if !is_fmi3 => typed::<i32>(library, integer, size, f64::from),
            other if !is_fmi3 => Err(no_numbers(library, other)),
            Type::Float32 => typed::<f32>(library, ["", "fmi3GetFloat32"], size, f64::from),
            Type::Int8 => typed::<i8>(library, ["", "fmi3GetInt8"], size, f64::from),
            Type::UInt8 => typed::<u8>(library, ["", "fmi3GetUInt8"], size, f64::from),
            Type::Int16 => typed::<i16>(library, ["", "fmi3GetInt16"], size, f64::from),
            Type::UInt16 => typed::<u16>(library, ["", "fmi3GetUInt16"], size, f64::from),
            Type::UInt32 => typed::<u32>(library, ["", "fmi3GetUInt32"], size, f64::from),
            // Beyond 2^53 the nearest number; a plot shows no more.
            Type::Int64 | Type::Enumeration => {
                typed::<i64>(library, ["", "fmi3GetInt64"], size, |v| v as f64)
            }
            Type::UInt64 => typed::<u64>(library, ["", "fmi3GetUInt64"], size, |v| v as f64),
            Type::String | Type::Binary | Type::Clock => Err(no_numbers(library, data_type)),
        }
    }
}

fn no_numbers(library: &Library, data_type: DataType) -> HostError {
    let (version, _) = words(library.standard());
    HostError::Run(format!("{version} has no numbers of type {data_type:?}"))
}
