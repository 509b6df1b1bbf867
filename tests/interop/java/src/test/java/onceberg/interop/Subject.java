package onceberg.interop;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.rest.RESTCatalog;

/**
 * The server under test, as the harness describes it in system properties.
 *
 * <ul>
 *   <li>{@code uri}, {@code warehouse}: as for Apache's kit.
 *   <li>{@code interop.advertise}: a lifetime of keys that the proxy adds to the server's
 *       configuration. For servers that honour keys without saying so: the client sends none then.
 *   <li>{@code interop.hold}: a URL; POST makes the server hang in whatever changes the catalog,
 *       DELETE lets it go on.
 *   <li>{@code interop.in-progress}: the status with which the server answers a retry while the
 *       first attempt hangs, or {@code wait} if it only waits.
 *   <li>{@code interop.NAME-token}, {@code interop.NAME-credential}, {@code interop.NAME-openid}:
 *       what the callers alice, bob and carol log in with; the last is a token of an identity
 *       provider's.
 *   <li>{@code interop.openid-uri}, {@code interop.openid-token-uri}: a server that takes that
 *       provider's tokens, and where the provider gives them for the same credentials.
 * </ul>
 */
final class Subject {
  /** Longer than any server may take for anything here, so that a test ends. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private Subject() {}

  static String uri() {
    return required("uri").replaceAll("/+$", "");
  }

  static String advertised() {
    return System.getProperty("interop.advertise", "");
  }

  static String inProgress() {
    return required("interop.in-progress");
  }

  static String holdUri() {
    return required("interop.hold");
  }

  /** The server that takes an identity provider's tokens. */
  static String openIdUri() {
    return required("interop.openid-uri").replaceAll("/+$", "");
  }

  /** Where the identity provider gives tokens to clients. */
  static String openIdTokenUri() {
    return required("interop.openid-token-uri");
  }

  /** What somebody logs in with: a {@code token}, a {@code credential} or an {@code openid}. */
  static String secret(String caller, String kind) {
    return required("interop." + caller + "-" + kind);
  }

  private static String required(String property) {
    String value = System.getProperty(property, "");
    if (value.isEmpty()) {
      throw new IllegalStateException("The system property " + property + " is not set");
    }
    return value;
  }

  /** A client of its own, of the server itself or of a proxy before it. */
  static RESTCatalog client(String uri) {
    return client(uri, Map.of());
  }

  /** As above, with more properties. */
  static RESTCatalog client(String uri, Map<String, String> more) {
    Map<String, String> properties = new HashMap<>(more);
    properties.put("uri", uri);
    properties.put("warehouse", System.getProperty("warehouse", "warehouse"));
    RESTCatalog catalog = new RESTCatalog();
    catalog.setConf(new Configuration());
    catalog.initialize("interop", properties);
    return catalog;
  }

  /** A namespace that no other test has, in this run or in an earlier one. */
  static Namespace newNamespace() {
    return Namespace.of("story_" + UUID.randomUUID().toString().replace("-", ""));
  }
}
