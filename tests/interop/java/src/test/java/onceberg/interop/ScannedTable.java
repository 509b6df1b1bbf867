package onceberg.interop;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;

/**
 * A table with whatever a plan has to tell apart: columns of many types with bounds, partitions,
 * nulls among them, two partition specs, three kinds of deletes, a renamed column, snapshots that
 * append, delete and overwrite, a tag and a branch.
 */
final class ScannedTable {
  static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "region", Types.StringType.get()),
          Types.NestedField.optional(3, "day", Types.DateType.get()),
          Types.NestedField.optional(4, "at", Types.TimestampType.withZone()),
          Types.NestedField.optional(5, "local", Types.TimestampType.withoutZone()),
          Types.NestedField.optional(6, "price", Types.DecimalType.of(9, 2)),
          Types.NestedField.optional(7, "code", Types.UUIDType.get()),
          Types.NestedField.optional(8, "raw", Types.BinaryType.get()),
          Types.NestedField.optional(9, "sold", Types.BooleanType.get()),
          Types.NestedField.optional(10, "weight", Types.DoubleType.get()),
          Types.NestedField.optional(11, "ratio", Types.FloatType.get()),
          Types.NestedField.optional(12, "size", Types.IntegerType.get()),
          Types.NestedField.optional(13, "clock", Types.TimeType.get()),
          Types.NestedField.optional(14, "mark", Types.FixedType.ofLength(2)));

  private static final FileFormat FORMAT = FileFormat.PARQUET; // has bounds, unlike Avro

  final TableIdentifier name;
  private final Table table;
  private final List<Long> snapshots = new ArrayList<>();

  /** Creates the table and all of its snapshots. */
  ScannedTable(RESTCatalog catalog, TableIdentifier name, int version) throws IOException {
    this.name = name;
    this.table =
        catalog
            .buildTable(name, SCHEMA)
            .withPartitionSpec(PartitionSpec.builderFor(SCHEMA).identity("region").build())
            .withProperty("format-version", String.valueOf(version))
            .withProperty("write.metadata.metrics.default", "full")
            .create();
    DataFile europe = data("eu", 1, 2, 3, 4);
    DataFile america = data("us", 5, 6, 7);
    commit(table.newAppend().appendFile(europe).appendFile(america));
    commit(table.newAppend().appendFile(data("eu", 8, 9)).appendFile(data(null, 10)));
    table.manageSnapshots().createTag("release", last()).createBranch("work", last()).commit();
    commit(
        table
            .newRowDelta()
            .addDeletes(version == 2 ? positions(europe, 0, 2) : vector(europe, 0, 2))
            .addDeletes(equality(america, 6)));
    table.updateSpec().addField(Expressions.bucket("id", 4)).commit();
    commit(table.newAppend().appendFile(data("asia", 11)).appendFile(data("asia", 12)));
    table
        .updateSchema()
        .renameColumn("size", "length")
        .addColumn("note", Types.StringType.get())
        .commit();
    commit(table.newAppend().appendFile(data("us", 13)));
    commit(table.newDelete().deleteFromRowFilter(Expressions.isNull("region")));
    commit(table.newOverwrite().deleteFile(america).addFile(data("us", 14)));
    table.newAppend().appendFile(data("work", 15)).toBranch("work").commit();
  }

  /** All snapshots of the main branch, from the first on. */
  List<Long> snapshots() {
    return snapshots;
  }

  private long last() {
    return snapshots.get(snapshots.size() - 1);
  }

  private void commit(SnapshotUpdate<?> update) {
    update.commit();
    table.refresh();
    snapshots.add(table.currentSnapshot().snapshotId());
  }

  private Record row(String region, long id) {
    int n = (int) id;
    Record row = GenericRecord.create(table.schema());
    row.setField("id", id);
    row.setField("region", region);
    row.setField("day", LocalDate.of(2024, 2, 28).plusDays(n));
    row.setField("local", LocalDateTime.of(2024, 2, 28, 23, 59, 59, 123_456_000).plusHours(n));
    row.setField("at", ((LocalDateTime) row.getField("local")).atOffset(ZoneOffset.UTC));
    row.setField("price", BigDecimal.valueOf(100L * n - 350, 2));
    row.setField("code", new UUID(n, n));
    row.setField("raw", ByteBuffer.wrap(new byte[] {(byte) (n * 16), 0, (byte) 0xff}));
    row.setField("sold", n % 2 == 0);
    row.setField("weight", n / 8.0);
    row.setField("ratio", n == 9 ? Float.NaN : -n / 4f);
    row.set(11, n == 7 ? null : n);
    row.setField("clock", LocalTime.of(n, 30, 0, 1_000));
    row.setField(
        "mark", new String(new char[] {(char) ('a' + n), 'z'}).getBytes(StandardCharsets.US_ASCII));
    return row;
  }

  /** A data file in the current spec; all its rows are of one partition. */
  private DataFile data(String region, long... ids) throws IOException {
    Record[] rows = Arrays.stream(ids).mapToObj(id -> row(region, id)).toArray(Record[]::new);
    PartitionKey partition = new PartitionKey(table.spec(), table.schema());
    partition.partition(new InternalRecordWrapper(table.schema().asStruct()).wrap(rows[0]));
    DataWriter<Record> writer =
        FormatModelRegistry.<Record, Schema>dataWriteBuilder(
                FORMAT, Record.class, output(FORMAT, table.spec(), partition))
            .schema(table.schema())
            .spec(table.spec())
            .partition(partition)
            .build();
    try (writer) {
      writer.write(List.of(rows));
    }
    return writer.toDataFile();
  }

  private DeleteFile equality(DataFile like, long... ids) throws IOException {
    Schema key = SCHEMA.select("id");
    EqualityDeleteWriter<Record> writer =
        FormatModelRegistry.<Record, Schema>equalityDeleteWriteBuilder(
                FORMAT, Record.class, output(FORMAT, table.spec(), like.partition()))
            .schema(key)
            .spec(table.spec())
            .partition(like.partition())
            .equalityFieldIds(1)
            .build();
    try (writer) {
      for (long id : ids) {
        writer.write(GenericRecord.create(key).copy(Map.of("id", id)));
      }
    }
    return writer.toDeleteFile();
  }

  private DeleteFile positions(DataFile of, long... positions) throws IOException {
    PositionDeleteWriter<Record> writer =
        FormatModelRegistry.<Record>positionDeleteWriteBuilder(
                FORMAT, output(FORMAT, table.spec(), of.partition()))
            .spec(table.spec())
            .partition(of.partition())
            .build();
    try (writer) {
      for (long position : positions) {
        writer.write(PositionDelete.<Record>create().set(of.location(), position));
      }
    }
    return writer.toDeleteFile();
  }

  private DeleteFile vector(DataFile of, long... positions) throws IOException {
    BaseDVFileWriter writer = new BaseDVFileWriter(files(FileFormat.PUFFIN), path -> null);
    try (writer) {
      for (long position : positions) {
        writer.delete(of.location(), position, table.spec(), of.partition());
      }
    }
    return writer.result().deleteFiles().get(0);
  }

  private EncryptedOutputFile output(FileFormat format, PartitionSpec spec, StructLike partition) {
    return files(format).newOutputFile(spec, partition);
  }

  private OutputFileFactory files(FileFormat format) {
    return OutputFileFactory.builderFor(table, 1, 1).format(format).build();
  }
}
