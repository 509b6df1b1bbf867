package onceberg.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;

/** Real rows in real files: a table counts as readable when these come back. */
final class Rows {
  static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "data", Types.StringType.get()));

  private Rows() {}

  /** Writes a data file for the table; it is nobody's until it is committed. */
  static DataFile write(Table table, long... ids) {
    String location = table.location() + "/data/" + UUID.randomUUID() + ".avro";
    org.apache.iceberg.io.DataWriter<Record> writer;
    try {
      writer =
          Avro.writeData(table.io().newOutputFile(location))
              .forTable(table)
              .withSpec(table.spec())
              .createWriterFunc(DataWriter::create)
              .build();
      try (writer) {
        for (long id : ids) {
          Record row = GenericRecord.create(table.schema());
          row.setField("id", id);
          row.setField("data", "row " + id);
          writer.write(row);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDataFile();
  }

  /** Reads the table's current snapshot through its manifests and data files. */
  static List<Long> read(Table table) {
    return read(table, Expressions.alwaysTrue());
  }

  /** As above, the rows of a filter. */
  static List<Long> read(Table table, Expression filter) {
    try (CloseableIterable<Record> rows = IcebergGenerics.read(table).where(filter).build()) {
      return StreamSupport.stream(rows.spliterator(), false)
          .map(row -> (Long) row.getField("id"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Long> ids(long... ids) {
    return java.util.Arrays.stream(ids).boxed().toList();
  }
}
