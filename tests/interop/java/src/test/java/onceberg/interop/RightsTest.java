package onceberg.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import onceberg.interop.Http.Answer;
import onceberg.interop.Http.Request;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.rest.RESTCatalog;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What rules allow, as Java's client sees it. Alice may do everything; so may carol; bob may list,
 * read {@code open_*}, and read and write {@code shared_*}.
 */
@Timeout(120)
class RightsTest {
  private World alice;
  private RESTCatalog bob;

  @BeforeEach
  void open() throws IOException {
    alice = new World(Subject.uri(), Map.of("credential", Subject.secret("alice", "credential")));
    bob = Subject.client(Subject.uri(), Map.of("credential", Subject.secret("bob", "credential")));
    for (String name : List.of("open_t", "shared_t", "closed_t")) {
      append(alice.newTable(name), 1, 2);
    }
  }

  @AfterEach
  void close() throws IOException {
    bob.close();
    alice.close();
  }

  @Test
  void whatIsAllowedIsDone() {
    assertThat(bob.listTables(alice.namespace))
        .as("lists are not filtered")
        .containsExactlyInAnyOrder(named("open_t"), named("shared_t"), named("closed_t"));
    assertThat(Rows.read(bob.loadTable(named("open_t")))).isEqualTo(Rows.ids(1, 2));
    append(bob.loadTable(named("shared_t")), 3);
    assertThat(Rows.read(alice.direct.loadTable(named("shared_t")))).isEqualTo(Rows.ids(1, 2, 3));
  }

  /** A refusal does not tell whether there is such a thing. */
  @Test
  void whatIsNotAllowedIsForbidden() {
    for (String name : List.of("closed_t", "closed_and_not_there")) {
      TableIdentifier closed = named(name);
      assertForbidden(() -> bob.loadTable(closed));
      assertForbidden(() -> bob.tableExists(closed));
      assertForbidden(() -> bob.dropTable(closed));
      assertForbidden(() -> bob.renameTable(closed, named("shared_u")));
      assertForbidden(() -> bob.loadView(closed));
    }
    assertForbidden(() -> bob.dropTable(named("shared_t")));
    assertForbidden(() -> bob.renameTable(named("shared_t"), named("closed_u")));
    assertForbidden(() -> bob.createTable(named("shared_u"), Rows.SCHEMA));
    assertForbidden(() -> bob.createNamespace(Subject.newNamespace()));
    assertForbidden(() -> bob.dropNamespace(alice.namespace));
    assertForbidden(
        () -> bob.setProperties(alice.namespace, Collections.singletonMap("owner", "bob")));
    assertThat(alice.direct.listTables(alice.namespace)).hasSize(3);
  }

  /** The client takes its files away, and none of the table's. */
  @Test
  void aForbiddenCommitLeavesTheTableAsItWas() {
    Table table = bob.loadTable(named("open_t"));
    assertForbidden(() -> append(table, 3));
    assertForbidden(() -> table.updateProperties().set("owner", "bob").commit());
    Table left = alice.direct.loadTable(named("open_t"));
    assertThat(left.snapshots()).hasSize(1);
    assertThat(Rows.read(left)).isEqualTo(Rows.ids(1, 2));
  }

  /** One table of a transaction that may not be written is enough. */
  @Test
  void aTransactionNeedsTheRightOnAllItsTables() {
    TableCommit[] commits =
        List.of("shared_t", "closed_t").stream().map(this::commit).toArray(TableCommit[]::new);
    assertForbidden(() -> bob.commitTransaction(commits));
    for (String name : List.of("shared_t", "closed_t")) {
      assertThat(alice.direct.loadTable(named(name)).snapshots()).hasSize(1);
    }
    alice.client.commitTransaction(Arrays.asList(commits));
    for (String name : List.of("shared_t", "closed_t")) {
      assertThat(Rows.read(alice.direct.loadTable(named(name)))).isEqualTo(Rows.ids(1, 2, 7));
    }
  }

  /** Bob plans what he may read. */
  @Test
  void whoMayReadMayPlan() throws IOException {
    Map<String, String> login =
        Map.of("token", Subject.secret("bob", "token"), "scan-planning-mode", "server");
    try (RESTCatalog planner = Subject.client(Subject.uri(), login)) {
      assertThat(Rows.read(planner.loadTable(named("open_t")))).isEqualTo(Rows.ids(1, 2));
    }
  }

  /**
   * An answer on record is its caller's, whatever token he has: nobody else gets it, and who may
   * not do it is told only that.
   */
  @Test
  void anAnswerOnRecordIsItsCallers() throws Exception {
    append(alice.client.loadTable(named("closed_t")), 3);
    List<Request> sent =
        alice.proxy.seen(alice.commitsOf("tables", "closed_t")).stream()
            .map(LossyProxy.Seen::request)
            .toList();
    Request commit = sent.get(sent.size() - 1);
    Answer own = again(commit, "alice");
    assertThat(own.status()).as("alice: " + own).isEqualTo(200);
    assertThat(own.header("idempotency-replayed")).contains("true");
    Answer bobs = again(commit, "bob");
    assertThat(bobs.status()).as("bob: " + bobs).isEqualTo(403);
    Answer carols = again(commit, "carol");
    assertThat(carols.status()).as("carol: " + carols).isEqualTo(422);
    for (Answer other : List.of(bobs, carols)) {
      assertThat(other.metadataLocation()).isEmpty();
      assertThat(other.header("idempotency-replayed")).isEmpty();
    }
    assertThat(Rows.read(alice.direct.loadTable(named("closed_t")))).isEqualTo(Rows.ids(1, 2, 3));
  }

  private Answer again(Request request, String caller) throws Exception {
    return alice.proxy.upstream().send(request.by(Subject.secret(caller, "token")));
  }

  private TableIdentifier named(String name) {
    return alice.named(name);
  }

  private TableCommit commit(String name) {
    Table table = alice.client.loadTable(named(name));
    Transaction append = table.newTransaction();
    append.newAppend().appendFile(Rows.write(table, 7)).commit();
    return TableCommit.create(
        named(name),
        ((HasTableOperations) table).operations().current(),
        ((BaseTransaction) append).currentMetadata());
  }

  private static void append(Table table, long... ids) {
    table.newAppend().appendFile(Rows.write(table, ids)).commit();
  }

  private static void assertForbidden(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(ForbiddenException.class);
  }
}
