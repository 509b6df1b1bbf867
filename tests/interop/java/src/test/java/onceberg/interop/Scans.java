package onceberg.interop;

import static org.apache.iceberg.expressions.Expressions.and;
import static org.apache.iceberg.expressions.Expressions.bucket;
import static org.apache.iceberg.expressions.Expressions.day;
import static org.apache.iceberg.expressions.Expressions.equal;
import static org.apache.iceberg.expressions.Expressions.greaterThan;
import static org.apache.iceberg.expressions.Expressions.greaterThanOrEqual;
import static org.apache.iceberg.expressions.Expressions.in;
import static org.apache.iceberg.expressions.Expressions.isNaN;
import static org.apache.iceberg.expressions.Expressions.isNull;
import static org.apache.iceberg.expressions.Expressions.lessThan;
import static org.apache.iceberg.expressions.Expressions.lessThanOrEqual;
import static org.apache.iceberg.expressions.Expressions.not;
import static org.apache.iceberg.expressions.Expressions.notEqual;
import static org.apache.iceberg.expressions.Expressions.notIn;
import static org.apache.iceberg.expressions.Expressions.notNaN;
import static org.apache.iceberg.expressions.Expressions.notNull;
import static org.apache.iceberg.expressions.Expressions.notStartsWith;
import static org.apache.iceberg.expressions.Expressions.or;
import static org.apache.iceberg.expressions.Expressions.startsWith;
import static org.apache.iceberg.expressions.Expressions.truncate;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.expressions.Expression;

/** What the planning tests ask for; all of it can be asked of a {@link ScannedTable}. */
final class Scans {
  private Scans() {}

  /** A scan; it can be of any of the tables. */
  record Asked(String name, UnaryOperator<TableScan> refine) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Filters of columns of all types. */
  static Stream<Expression> filters() {
    return Stream.of(
        equal("region", "eu"),
        notEqual("region", "eu"),
        isNull("region"),
        notNull("region"),
        in("region", "us", "asia"),
        notIn("region", "us", "eu"),
        startsWith("region", "a"),
        notStartsWith("region", "e"),
        equal("id", 5L),
        in("id", 1L, 9L, 14L),
        and(equal("region", "eu"), greaterThan("id", 3L)),
        or(equal("region", "asia"), lessThan("id", 2L)),
        not(or(equal("region", "eu"), greaterThanOrEqual("id", 12L))),
        lessThanOrEqual("day", "2024-03-04"),
        greaterThan("at", "2024-02-29T07:59:59.123456+00:00"),
        greaterThan("at", "2024-02-29T09:59:59.123456+02:00"),
        lessThan("local", "2024-02-29T05:00:00"),
        lessThan("price", new BigDecimal("0.50")),
        equal("code", new UUID(5, 5)),
        lessThan("code", new UUID(8, 0)),
        greaterThan("raw", ByteBuffer.wrap(new byte[] {0x50})),
        equal("sold", true),
        greaterThan("weight", 1.0),
        lessThan("ratio", -2.5f),
        isNaN("ratio"),
        notNaN("ratio"),
        greaterThan("length", 10),
        isNull("length"),
        greaterThanOrEqual("clock", "11:30:00"),
        greaterThan("mark", ByteBuffer.wrap(new byte[] {'l', 'a'})),
        isNull("note"),
        equal("note", "none"));
  }

  /** Filters by what transforms make of columns. */
  static Stream<Expression> transforms() {
    return Stream.of(
        equal(bucket("id", 4), 1),
        lessThan(day("at"), "2024-03-01"),
        and(equal(truncate("id", 10), 10L), equal("sold", true)));
  }

  /** Scans that differ by more than their filter. */
  static Stream<Asked> scans() {
    return Stream.of(
        new Asked("of everything", scan -> scan),
        new Asked("of two columns", scan -> scan.select("id", "price").filter(equal("sold", true))),
        new Asked("of a schema", scan -> scan.project(ScannedTable.SCHEMA.select("region"))),
        new Asked("in any case", scan -> scan.caseSensitive(false).filter(equal("REGION", "us"))),
        new Asked("of a tag", scan -> scan.useRef("release")),
        new Asked("of a branch", scan -> scan.useRef("work").filter(greaterThan("id", 8L))),
        new Asked(
            "with statistics", scan -> scan.includeColumnStats(List.of("id", "code", "ratio"))));
  }
}
