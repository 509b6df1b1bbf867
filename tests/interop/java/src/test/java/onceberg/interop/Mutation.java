package onceberg.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import onceberg.interop.Http.Request;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.view.BaseView;

/**
 * A change that the Java client sends with a key.
 *
 * @param name what the specification calls it, and a note where it has several forms
 * @param requests recognises its request
 * @param prepare what must be there before
 * @param act makes the change; fails unless the client is told that it succeeded
 * @param check looks, past the proxy, whether it happened exactly once
 */
record Mutation(
    String name,
    Predicate<Request> requests,
    Consumer<World> prepare,
    Consumer<World> act,
    Consumer<World> check) {

  // Not Map.of, which does not let the client ask for a null key.
  private static final Map<String, String> OWNER = Collections.singletonMap("owner", "me");

  @Override
  public String toString() {
    return name;
  }

  /** All of them. */
  static Stream<Mutation> all() {
    return Stream.of(namespaces(), tables(), tableCommits(), views()).flatMap(List::stream);
  }

  private static Predicate<Request> post(String pathEnd) {
    return request -> request.is("POST", pathEnd);
  }

  private static Predicate<Request> delete(String pathEnd) {
    return request -> request.is("DELETE", pathEnd);
  }

  private static Namespace other(World w) {
    return Namespace.of(w.namespace.level(0) + "_other");
  }

  private static List<Mutation> namespaces() {
    return List.of(
        new Mutation(
            "createNamespace",
            post("/namespaces"),
            w -> {},
            w -> w.client.createNamespace(other(w), OWNER),
            w -> {
              assertThat(w.direct.loadNamespaceMetadata(other(w))).containsAllEntriesOf(OWNER);
              w.direct.dropNamespace(other(w));
            }),
        new Mutation(
            "updateProperties",
            post("/properties"),
            w -> {},
            w -> assertThat(w.client.setProperties(w.namespace, OWNER)).isTrue(),
            w ->
                assertThat(w.direct.loadNamespaceMetadata(w.namespace))
                    .containsAllEntriesOf(OWNER)),
        new Mutation(
            "dropNamespace",
            request -> request.method().equals("DELETE") && request.target().endsWith("_other"),
            w -> w.direct.createNamespace(other(w)),
            w -> assertThat(w.client.dropNamespace(other(w))).isTrue(),
            w -> assertThat(w.direct.namespaceExists(other(w))).isFalse()));
  }

  private static List<Mutation> tables() {
    return List.of(
        new Mutation(
            "createTable",
            post("/tables"),
            w -> {},
            w -> w.client.createTable(w.named("t"), Rows.SCHEMA),
            w -> assertThat(w.direct.loadTable(w.named("t")).schema().columns()).hasSize(2)),
        new Mutation(
            "createTable, staged",
            post("/tables"),
            w -> {},
            w -> w.client.newCreateTableTransaction(w.named("t"), Rows.SCHEMA),
            w -> assertThat(w.direct.tableExists(w.named("t"))).isFalse()),
        new Mutation(
            "registerTable",
            post("/register"),
            w -> w.newTable("t"),
            w -> w.client.registerTable(w.named("again"), metadataOf(w.direct.loadTable(w.named("t")))),
            w ->
                assertThat(metadataOf(w.direct.loadTable(w.named("again"))))
                    .isEqualTo(metadataOf(w.direct.loadTable(w.named("t"))))),
        new Mutation(
            "renameTable",
            post("/tables/rename"),
            w -> w.newTable("t"),
            w -> w.client.renameTable(w.named("t"), w.named("renamed")),
            w -> assertThat(w.direct.listTables(w.namespace)).containsExactly(w.named("renamed"))),
        new Mutation(
            "dropTable",
            delete("/tables/t"),
            w -> w.newTable("t"),
            w -> assertThat(w.client.dropTable(w.named("t"))).isTrue(),
            w -> assertThat(w.direct.tableExists(w.named("t"))).isFalse()),
        new Mutation(
            "dropTable, with purge",
            delete("/tables/t"),
            w -> w.newTable("t"),
            w -> assertThat(w.client.dropTable(w.named("t"), true)).isTrue(),
            w -> assertThat(w.direct.tableExists(w.named("t"))).isFalse()));
  }

  private static List<Mutation> tableCommits() {
    return List.of(
        new Mutation(
            "updateTable, a schema change",
            post("/tables/t"),
            w -> w.newTable("t"),
            w ->
                w.client
                    .loadTable(w.named("t"))
                    .updateSchema()
                    .addColumn("more", Types.StringType.get())
                    .commit(),
            w -> assertThat(w.direct.loadTable(w.named("t")).schemas()).hasSize(2)),
        new Mutation(
            "updateTable, a staged create",
            post("/tables/t"),
            w -> {},
            w -> {
              Transaction create = w.client.newCreateTableTransaction(w.named("t"), Rows.SCHEMA);
              create.newAppend().appendFile(Rows.write(create.table(), 1, 2)).commit();
              create.commitTransaction();
            },
            w -> {
              Table table = w.direct.loadTable(w.named("t"));
              assertThat(table.snapshots()).hasSize(1);
              assertThat(Rows.read(table)).isEqualTo(Rows.ids(1, 2));
            }),
        new Mutation(
            "updateTable, a staged replace",
            post("/tables/t"),
            w -> w.newTable("t"),
            w -> {
              Transaction replace =
                  w.client.newReplaceTableTransaction(w.named("t"), Rows.SCHEMA, false);
              replace.newAppend().appendFile(Rows.write(replace.table(), 1, 2)).commit();
              replace.commitTransaction();
            },
            w -> {
              Table table = w.direct.loadTable(w.named("t"));
              assertThat(table.snapshots()).hasSize(1);
              assertThat(Rows.read(table)).isEqualTo(Rows.ids(1, 2));
            }),
        new Mutation(
            "commitTransaction",
            post("/transactions/commit"),
            w -> {
              w.newTable("one");
              w.newTable("two");
            },
            w -> w.client.commitTransaction(changeOf(w, "one"), changeOf(w, "two")),
            w -> {
              for (String name : List.of("one", "two")) {
                Table table = w.direct.loadTable(w.named(name));
                assertThat(table.snapshots()).hasSize(1);
                assertThat(Rows.read(table)).isEqualTo(Rows.ids(1));
              }
            }));
  }

  private static List<Mutation> views() {
    return List.of(
        new Mutation(
            "createView",
            post("/views"),
            w -> {},
            w ->
                w.client
                    .buildView(w.named("v"))
                    .withSchema(Rows.SCHEMA)
                    .withDefaultNamespace(w.namespace)
                    .withQuery("spark", "select 1 id, 'one' data")
                    .create(),
            w -> assertThat(w.direct.loadView(w.named("v")).versions()).hasSize(1)),
        new Mutation(
            "replaceView",
            post("/views/v"),
            w -> w.newView("v"),
            w ->
                w.client
                    .loadView(w.named("v"))
                    .replaceVersion()
                    .withSchema(Rows.SCHEMA)
                    .withDefaultNamespace(w.namespace)
                    .withQuery("spark", "select 2 id, 'two' data")
                    .commit(),
            w -> assertThat(w.direct.loadView(w.named("v")).versions()).hasSize(2)),
        new Mutation(
            "registerView",
            post("/register-view"),
            w -> w.newView("v"),
            w ->
                w.client.registerView(
                    w.named("again"),
                    ((BaseView) w.direct.loadView(w.named("v")))
                        .operations()
                        .current()
                        .metadataFileLocation()),
            w -> assertThat(w.direct.viewExists(w.named("again"))).isTrue()),
        new Mutation(
            "renameView",
            post("/views/rename"),
            w -> w.newView("v"),
            w -> w.client.renameView(w.named("v"), w.named("renamed")),
            w -> assertThat(w.direct.listViews(w.namespace)).containsExactly(w.named("renamed"))),
        new Mutation(
            "dropView",
            delete("/views/v"),
            w -> w.newView("v"),
            w -> assertThat(w.client.dropView(w.named("v"))).isTrue(),
            w -> assertThat(w.direct.viewExists(w.named("v"))).isFalse()));
  }

  private static String metadataOf(Table table) {
    return ((HasTableOperations) table).operations().current().metadataFileLocation();
  }

  /** An append as a part of a transaction over several tables. */
  private static TableCommit changeOf(World w, String name) {
    Table table = w.client.loadTable(w.named(name));
    Transaction append = table.newTransaction();
    append.newAppend().appendFile(Rows.write(table, 1)).commit();
    return TableCommit.create(
        w.named(name),
        ((HasTableOperations) table).operations().current(),
        ((org.apache.iceberg.BaseTransaction) append).currentMetadata());
  }
}
