package onceberg.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;

/** The tasks of a scan as text, so that two plans can be compared. */
final class Tasks {
  private Tasks() {}

  /** All tasks, in an order that does not depend on who planned. */
  static List<String> of(TableScan scan) {
    Schema schema = SnapshotUtil.schemaFor(scan.table(), scan.snapshot().snapshotId());
    return all(scan.planFiles()).map(task -> text(schema, task)).sorted().toList();
  }

  /** The files of all tasks, in their order by name. */
  static List<String> files(CloseableIterable<FileScanTask> planned) {
    return all(planned).map(task -> task.file().location()).sorted().toList();
  }

  private static Stream<FileScanTask> all(CloseableIterable<FileScanTask> planned) {
    try (planned) {
      return StreamSupport.stream(planned.spliterator(), false).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything that a reader goes by. Sequence numbers do not travel in plans. */
  private static String text(Schema schema, FileScanTask task) {
    // In JSON literals lose their types; bound to the schema they have them again.
    Expression residual = Binder.bind(schema.asStruct(), task.residual(), false);
    return String.join(
        "\n  ",
        text(task.spec(), task.file()),
        "from " + task.start() + " to " + task.length(),
        "row " + task.file().firstRowId(),
        "residual " + residual,
        task.deletes().stream().map(d -> text(task.spec(), d)).sorted().toList().toString());
  }

  private static String text(PartitionSpec spec, ContentFile<?> file) {
    return String.join(
        " ",
        file.content().toString(),
        file.location(),
        file.format().toString(),
        file.specId() + ":" + spec.partitionToPath(file.partition()),
        file.recordCount() + " rows",
        file.fileSizeInBytes() + " bytes",
        "ids " + file.equalityFieldIds(),
        "order " + file.sortOrderId(),
        "offsets " + file.splitOffsets(),
        file instanceof DeleteFile delete ? ofVector(delete) : statistics(file));
  }

  private static String ofVector(DeleteFile file) {
    return "%s %s+%s"
        .formatted(file.referencedDataFile(), file.contentOffset(), file.contentSizeInBytes());
  }

  private static String statistics(ContentFile<?> file) {
    return "counts %s nulls %s nans %s bounds %s %s"
        .formatted(
            ordered(file.valueCounts()),
            ordered(file.nullValueCounts()),
            ordered(file.nanValueCounts()),
            bytes(file.lowerBounds()),
            bytes(file.upperBounds()));
  }

  /** No statistics and empty ones are the same to a reader. */
  private static Map<Integer, Object> ordered(Map<Integer, ?> byColumn) {
    return byColumn == null ? Map.of() : new TreeMap<>(byColumn);
  }

  private static Map<Integer, Object> bytes(Map<Integer, ByteBuffer> byColumn) {
    if (byColumn == null) {
      return Map.of();
    }
    return ordered(
        byColumn.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, e -> hex(e.getValue()))));
  }

  private static String hex(ByteBuffer buffer) {
    ByteBuffer copy = buffer.duplicate();
    byte[] bytes = new byte[copy.remaining()];
    copy.get(bytes);
    return java.util.HexFormat.of().formatHex(bytes);
  }
}
