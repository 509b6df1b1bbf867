package onceberg.interop;

import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.rest.RESTCompatibilityKitCatalogTests;
import org.junit.jupiter.api.AfterEach;

/**
 * Tests of Apache's kit that its own class keeps off without a switch: names with slashes, which
 * servlets refuse, and nested namespaces. The harness selects those four alone.
 */
public class SlashesAndLevelsTest extends RESTCompatibilityKitCatalogTests {
  @Override
  protected boolean supportsNamesWithSlashes() {
    return true;
  }

  @Override
  protected boolean supportsNestedNamespaces() {
    return true;
  }

  /** The kit does not clean up after these tests, and two of them want the same namespace. */
  @AfterEach
  void dropParent() {
    Namespace parent = Namespace.of("parent");
    if (catalog().namespaceExists(parent)) {
      catalog().listNamespaces(parent).forEach(catalog()::dropNamespace);
      catalog().dropNamespace(parent);
    }
  }
}
