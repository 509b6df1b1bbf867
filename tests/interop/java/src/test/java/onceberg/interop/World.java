package onceberg.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.function.Predicate;
import onceberg.interop.Http.Request;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.view.View;

/**
 * One test's surroundings: a namespace of its own, the client that meets the proxy's faults, and
 * another that talks to the server directly and sees what is really there.
 */
final class World implements AutoCloseable {
  final LossyProxy proxy;
  final RESTCatalog client;
  final RESTCatalog direct;
  final Namespace namespace = Subject.newNamespace();

  World() throws IOException {
    this(Subject.uri(), Map.of());
  }

  /** As above, on another server of the subject, with what the clients log in by. */
  World(String uri, Map<String, String> login) throws IOException {
    proxy = new LossyProxy(new Upstream(uri, Subject.advertised()));
    client = Subject.client(proxy.uri(), login);
    direct = Subject.client(uri, login);
    direct.createNamespace(namespace);
  }

  TableIdentifier named(String name) {
    return TableIdentifier.of(namespace, name);
  }

  /** A table, loaded by the client that will meet the faults. */
  Table newTable(String name, Map<String, String> properties) {
    direct.buildTable(named(name), Rows.SCHEMA).withProperties(properties).create();
    return client.loadTable(named(name));
  }

  Table newTable(String name) {
    return newTable(name, Map.of());
  }

  View newView(String name) {
    return direct
        .buildView(named(name))
        .withSchema(Rows.SCHEMA)
        .withDefaultNamespace(namespace)
        .withQuery("spark", "select 1 id, 'one' data")
        .create();
  }

  /** The commits of a table or a view of this name. */
  Predicate<Request> commitsOf(String kind, String name) {
    return request -> request.is("POST", "/" + kind + "/" + name);
  }

  @Override
  public void close() throws IOException {
    try (client;
        direct) {
      direct.listTables(namespace).forEach(direct::dropTable);
      direct.listViews(namespace).forEach(direct::dropView);
      if (direct.namespaceExists(namespace)) {
        direct.dropNamespace(namespace);
      }
    } finally {
      proxy.close();
    }
    assertThat(proxy.spent()).as("a fault that nobody met proves nothing").isTrue();
  }
}
