//! `table.parquet`: the table once more, typed, for pandas, Polars, DuckDB and others.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::columns::ColumnKind;
use super::table::{Cell, Gathered, StudyTable};
use crate::error::Error;

/// The file of a table: one row group, a blank is null.
pub(super) fn bytes(table: &StudyTable) -> Result<Vec<u8>, Error> {
    write(table).map_err(|error| Error::Check(format!("table.parquet cannot be made: {error}")))
}

fn write(table: &StudyTable) -> Result<Vec<u8>, ParquetError> {
    let fields = table.columns.iter().map(|column| field(column).map(Arc::new));
    let fields = fields.collect::<Result<_, ParquetError>>()?;
    let schema = Type::group_type_builder("table").with_fields(fields).build()?;
    // The name of the writer alone: its version would change the bytes.
    let properties = WriterProperties::builder().set_created_by("delassus".into()).build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))?;
    let mut rows = file.next_row_group()?;
    for column in &table.columns {
        if let Some(mut writer) = rows.next_column()? {
            fill(&mut writer, column)?;
            writer.close()?;
        }
    }
    rows.close()?;
    file.close()?;
    Ok(bytes)
}

fn field(column: &Gathered) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        ColumnKind::Number => (Physical::DOUBLE, None),
        ColumnKind::Count => (Physical::INT64, None),
        ColumnKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(&column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

/// The values that are there, and for each row whether it has one.
fn fill(writer: &mut SerializedColumnWriter, column: &Gathered) -> Result<(), ParquetError> {
    let there: Vec<i16> = column.cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let cells = column.cells.iter().flatten();
    let (levels, none) = (Some(&there[..]), None);
    match column.kind {
        ColumnKind::Number => {
            let values: Vec<f64> = cells.filter_map(Cell::number).collect();
            writer.typed::<DoubleType>().write_batch(&values, levels, none)?;
        }
        ColumnKind::Count => {
            let count =
                |cell: &Cell| if let Cell::Count(count) = cell { Some(*count) } else { None };
            let values: Vec<i64> = cells.filter_map(count).collect();
            writer.typed::<Int64Type>().write_batch(&values, levels, none)?;
        }
        ColumnKind::Text => {
            let values: Vec<ByteArray> =
                cells.map(|cell| cell.text().into_bytes().into()).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, levels, none)?;
        }
    }
    Ok(())
}
