package onceberg.interop;

import static org.apache.iceberg.expressions.Expressions.and;
import static org.apache.iceberg.expressions.Expressions.bucket;
import static org.apache.iceberg.expressions.Expressions.equal;
import static org.apache.iceberg.expressions.Expressions.greaterThan;
import static org.apache.iceberg.expressions.Expressions.lessThan;
import static org.apache.iceberg.expressions.Expressions.notNull;
import static org.apache.iceberg.expressions.Expressions.or;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import onceberg.interop.Http.Request;
import onceberg.interop.LossyProxy.Seen;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.IncrementalAppendScan;
import org.apache.iceberg.MetadataTableType;
import org.apache.iceberg.MetadataTableUtils;
import org.apache.iceberg.ScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.ErrorHandlers;
import org.apache.iceberg.rest.HTTPClient;
import org.apache.iceberg.rest.ParserContext;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.RESTClient;
import org.apache.iceberg.rest.ResourcePaths;
import org.apache.iceberg.rest.auth.AuthSession;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.rest.responses.PlanTableScanResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Scans that the server plans for Java's client, against those that the client plans itself: the
 * tasks are the same.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlanningTest {
  private World world;
  private RESTCatalog planner;
  private Map<Integer, ScannedTable> tables;

  @BeforeAll
  void fill() throws IOException {
    world = new World();
    planner = Subject.client(world.proxy.uri(), Map.of("scan-planning-mode", "server"));
    tables =
        Map.of(
            2, new ScannedTable(world.direct, world.named("v2"), 2),
            3, new ScannedTable(world.direct, world.named("v3"), 3));
  }

  @AfterAll
  void close() throws IOException {
    planner.close();
    world.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("onceberg.interop.Scans#filters")
  void theTasksOfAFilterAreTheClients(Expression filter) {
    for (ScannedTable table : tables.values()) {
      assertSamePlan(table.name, scan -> scan.filter(filter));
    }
  }

  /** By a transform the server leaves out no file; what is left to do is in the residual. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("onceberg.interop.Scans#transforms")
  void noTaskOfATransformIsMissing(Expression filter) {
    for (ScannedTable table : tables.values()) {
      TableScan here = world.direct.loadTable(table.name).newScan().filter(filter);
      TableScan there = planner.loadTable(table.name).newScan().filter(filter);
      assertThat(Tasks.of(here)).isNotEmpty().isSubsetOf(Tasks.of(there));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("onceberg.interop.Scans#scans")
  void theTasksOfAScanAreTheClients(Scans.Asked asked) {
    for (ScannedTable table : tables.values()) {
      assertSamePlan(table.name, asked.refine());
    }
  }

  @Test
  void everySnapshotIsPlannedAsItWas() {
    Expression filter = or(equal("region", "eu"), equal("sold", false));
    for (ScannedTable table : tables.values()) {
      for (long snapshot : table.snapshots()) {
        assertSamePlan(table.name, scan -> scan.useSnapshot(snapshot).filter(filter));
      }
      long then =
          world.direct.loadTable(table.name).snapshot(table.snapshots().get(2)).timestampMillis();
      assertSamePlan(table.name, scan -> scan.asOfTime(then));
    }
  }

  /** A plan for a few rows may end early, and has at least these. */
  @Test
  void enoughTasksComeForAFewRows() {
    for (ScannedTable table : tables.values()) {
      Table there = planner.loadTable(table.name);
      assertThat(Tasks.files(there.newScan().minRowsRequested(1).planFiles()))
          .isNotEmpty()
          .hasSizeLessThan(Tasks.files(there.newScan().planFiles()).size());
      assertSamePlan(table.name, scan -> scan.minRowsRequested(1_000));
    }
  }

  /** What the plans are for: the rows, without those that deletes of three kinds took. */
  @Test
  void theRowsAreThere() {
    for (ScannedTable table : tables.values()) {
      Table there = planner.loadTable(table.name);
      assertThat(Rows.read(there)).isEqualTo(Rows.ids(2, 4, 8, 9, 11, 12, 13, 14));
      Expression filter =
          and(notNull("region"), greaterThan("raw", ByteBuffer.wrap(new byte[] {0x40, 0})));
      assertThat(Rows.read(there, filter)).isEqualTo(Rows.ids(4, 8, 9, 11, 12, 13, 14));
      assertThat(Rows.read(there, equal("code", new UUID(4, 4)))).isEqualTo(Rows.ids(4));
      assertThat(Rows.read(there, equal(bucket("id", 4), 1))).isEqualTo(Rows.ids(13, 14));
    }
  }

  /** A batch scan, as Spark makes them, is planned by the server; metadata tables never are. */
  @Test
  void otherScansGoTheirWay() throws IOException {
    for (ScannedTable table : tables.values()) {
      Table here = world.direct.loadTable(table.name);
      Table there = planner.loadTable(table.name);
      int before = plans().size();
      try (CloseableIterable<ScanTask> batch = there.newBatchScan().planFiles()) {
        assertThat(batch)
            .extracting(task -> task.asFileScanTask().file().location())
            .containsExactlyInAnyOrderElementsOf(Tasks.files(here.newScan().planFiles()));
      }
      assertThat(plans()).hasSize(before + 1);
      Table files = MetadataTableUtils.createMetadataTableInstance(there, MetadataTableType.FILES);
      assertThat(files.newScan().planFiles()).isNotEmpty();
      assertThat(plans()).hasSize(before + 1);
    }
  }

  /** The client tells the server when it is done with a plan. */
  @Test
  void plansAreCancelledWhenTheyAreClosed() {
    Table there = planner.loadTable(tables.get(2).name);
    Predicate<Request> cancels =
        request -> request.method().equals("DELETE") && request.target().contains("/plan/");
    int before = world.proxy.seen(cancels).size();
    Tasks.files(there.newScan().planFiles());
    List<Seen> seen = world.proxy.seen(cancels);
    assertThat(seen).hasSize(before + 1);
    assertThat(seen.get(before).answer().orElseThrow().status()).isEqualTo(204);
  }

  /**
   * Java's client plans ranges of snapshots itself, though it can write the request and read the
   * answer: the server's tasks are those of its own.
   */
  @Test
  void theTasksOfARangeAreTheClients() throws IOException {
    try (RESTClient http =
        HTTPClient.builder(Map.of())
            .uri(world.proxy.uri())
            .withAuthSession(AuthSession.EMPTY)
            .build()) {
      for (ScannedTable table : tables.values()) {
        Table there = planner.loadTable(table.name);
        List<Long> snapshots = table.snapshots();
        for (int from = 0; from < snapshots.size() - 1; from++) {
          long after = snapshots.get(from);
          long until = snapshots.get(snapshots.size() - 1);
          Expression filter = or(equal("region", "asia"), lessThan("id", 10L));
          IncrementalAppendScan own =
              there
                  .newIncrementalAppendScan()
                  .filter(filter)
                  .fromSnapshotExclusive(after)
                  .toSnapshot(until);
          assertThat(
                  Tasks.files(
                      CloseableIterable.withNoopClose(
                          range(http, there, table.name, filter, after, until))))
              .isEqualTo(Tasks.files(own.planFiles()));
        }
      }
    }
  }

  private static List<FileScanTask> range(
      RESTClient http,
      Table table,
      TableIdentifier name,
      Expression filter,
      long after,
      long until) {
    PlanTableScanRequest request =
        PlanTableScanRequest.builder()
            .withStartSnapshotId(after)
            .withEndSnapshotId(until)
            .withUseSnapshotSchema(true)
            .withFilter(filter)
            .build();
    return http.post(
            ResourcePaths.forCatalogProperties(Map.of()).planTableScan(name),
            request,
            PlanTableScanResponse.class,
            Map.of(),
            ErrorHandlers.tableErrorHandler(),
            headers -> {},
            ParserContext.builder()
                .add("specsById", table.specs())
                .add("caseSensitive", true)
                .build())
        .fileScanTasks();
  }

  /** More files than one answer has: the client fetches the others, each once. */
  @Test
  void aLargePlanComesInParts() {
    Table table = world.direct.createTable(world.named("large"), Rows.SCHEMA);
    AppendFiles append = table.newFastAppend();
    for (int i = 0; i < 5_000; i++) {
      append.appendFile(
          DataFiles.builder(table.spec())
              .withPath(table.location() + "/data/" + i + ".parquet")
              .withFileSizeInBytes(100)
              .withRecordCount(1)
              .build());
    }
    append.commit();
    Predicate<Request> parts = request -> request.is("POST", "/tasks");
    int before = world.proxy.seen(parts).size();
    List<String> planned =
        Tasks.files(planner.loadTable(world.named("large")).newScan().planFiles());
    assertThat(world.proxy.seen(parts)).hasSizeGreaterThan(before);
    assertThat(planned).hasSize(5_000).isEqualTo(Tasks.files(table.newScan().planFiles()));
  }

  @Test
  void aTableWithoutSnapshotsHasNoTasks() {
    world.direct.createTable(world.named("empty"), Rows.SCHEMA);
    Table there = planner.loadTable(world.named("empty"));
    assertThat(there.newScan().filter(equal("id", 1L)).planFiles()).isEmpty();
  }

  /** The client says itself that there is no such column, and the server that a literal is none. */
  @Test
  void aFilterThatCannotBeMeantIsRefused() {
    Table there = planner.loadTable(tables.get(2).name);
    for (Expression filter : List.of(equal("nowhere", 1), equal("day", "soon"))) {
      assertThatThrownBy(() -> Tasks.files(there.newScan().filter(filter).planFiles()))
          .isInstanceOf(BadRequestException.class);
    }
  }

  private List<Seen> plans() {
    return world.proxy.seen(request -> request.is("POST", "/plan"));
  }

  private void assertSamePlan(TableIdentifier name, UnaryOperator<TableScan> refine) {
    Table here = world.direct.loadTable(name);
    Table there = planner.loadTable(name);
    int before = plans().size();
    List<String> planned = Tasks.of(refine.apply(there.newScan()));
    assertThat(plans()).as("plans of the server").hasSize(before + 1);
    assertThat(planned).isEqualTo(Tasks.of(refine.apply(here.newScan())));
  }
}
