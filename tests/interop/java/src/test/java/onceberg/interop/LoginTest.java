package onceberg.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import onceberg.interop.Http.Answer;
import onceberg.interop.Http.Request;
import onceberg.interop.LossyProxy.Seen;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SessionCatalog.SessionContext;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.RESTSessionCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How Java's client logs in, renews what it logged in with, and is told that it may not. */
@Timeout(120)
class LoginTest {
  private static final Predicate<Request> FOR_TOKENS =
      request -> request.is("POST", "/v1/oauth/tokens");
  private static final Predicate<Request> ANY = request -> true;

  private static Map<String, String> credential(String caller) {
    return Map.of("credential", Subject.secret(caller, "credential"), "scope", "lake:all");
  }

  /** A client with a secret asks for a token once, and goes on with it. */
  @Test
  void aCredentialGetsAToken() throws Exception {
    try (World w = new World(Subject.uri(), credential("alice"))) {
      appendSomething(w);

      List<Seen> asked = w.proxy.seen(FOR_TOKENS);
      assertThat(asked).hasSize(1);
      assertThat(asked.get(0).request().text())
          .contains("grant_type=client_credentials")
          .contains("scope=lake%3Aall");
      String token = tokenIn(asked.get(0).answer().orElseThrow());
      assertThat(w.proxy.seen(FOR_TOKENS.negate()))
          .isNotEmpty()
          .allSatisfy(seen -> assertThat(seen.request().token()).contains(token));
    }
  }

  /** The endpoint that clients are told to name is the same as the one that they would guess. */
  @Test
  void theEndpointCanBeNamed() throws Exception {
    Map<String, String> login =
        Map.of(
            "credential",
            Subject.secret("alice", "credential"),
            "oauth2-server-uri",
            Subject.uri() + "/v1/oauth/tokens");
    try (World w = new World(Subject.uri(), login)) {
      appendSomething(w);
      assertThat(w.proxy.seen(FOR_TOKENS)).isEmpty();
    }
  }

  /**
   * Before a token ends the client gets another one by its credential, since the server has told it
   * not to exchange tokens; and what it did with the first one is still its own.
   */
  @Test
  void aTokenIsRenewedByTheCredential() throws Exception {
    try (World w = new World(Subject.uri(), credential("alice"));
        LossyProxy proxy = newProxy();
        RESTCatalog client = shortLived(proxy, credential("alice"))) {
      Namespace namespace = Subject.newNamespace();
      client.createNamespace(namespace);
      Request created = proxy.seen(request -> request.is("POST", "/namespaces")).get(0).request();

      Seen renewal = proxy.await(2, FOR_TOKENS).get(1);
      assertThat(renewal.request().text()).contains("grant_type=client_credentials");
      String token = tokenIn(renewal.answer().orElseThrow());
      Seen later = callUntilItHas(token, proxy, client);
      assertThat(later.answer().orElseThrow().status()).isEqualTo(200);

      Answer replayed = proxy.upstream().send(created.by(token));
      assertThat(replayed.status()).as("sent again: " + replayed).isEqualTo(200);
      assertThat(replayed.header("idempotency-replayed")).contains("true");
      client.dropNamespace(namespace);
    }
  }

  /**
   * Who will exchange tokens nevertheless, as clients before 1.10 do, is refused by name as long as
   * it sends the token alone, and gets another one when it sends its secret too.
   */
  @Test
  void anExchangeTakesTheSecret() throws Exception {
    Map<String, String> login = new HashMap<>(credential("alice"));
    login.put("token-exchange-enabled", "true");
    try (LossyProxy proxy = newProxy();
        RESTCatalog client = shortLived(proxy, login)) {
      Seen exchange = proxy.await(2, FOR_TOKENS).get(1);
      assertThat(exchange.request().text()).contains("token-exchange");
      Answer refused = exchange.answer().orElseThrow();
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.text()).contains("unsupported_grant_type").contains("client_credentials");

      Predicate<Request> withSecret =
          request -> request.token().filter(text -> text.startsWith("Basic ")).isPresent();
      Seen renewal = proxy.await(1, FOR_TOKENS.and(withSecret)).get(0);
      assertThat(renewal.request().text()).contains("token-exchange");
      String token = tokenIn(renewal.answer().orElseThrow());
      assertThat(callUntilItHas(token, proxy, client).answer().orElseThrow().status())
          .isEqualTo(200);
    }
  }

  /** A token alone is never renewed: there is nothing to do it by. */
  @Test
  void aTokenAloneIsEnough() throws Exception {
    Map<String, String> login =
        Map.of("token", Subject.secret("alice", "token"), "token-expires-in-ms", "10");
    try (World w = new World(Subject.uri(), login)) {
      appendSomething(w);
      assertThat(w.proxy.seen(FOR_TOKENS)).isEmpty();
    }
  }

  @Test
  void aWrongSecretIsRefusedOnce() throws Exception {
    String id = Subject.secret("alice", "credential").split(":")[0];
    try (LossyProxy proxy = newProxy()) {
      assertThatThrownBy(() -> Subject.client(proxy.uri(), Map.of("credential", id + ":guessed")))
          .isInstanceOf(NotAuthorizedException.class)
          .hasMessageContaining("invalid_client")
          .hasMessageContaining("secret is wrong");
      assertThat(proxy.seen(ANY)).hasSize(1);
    }
  }

  @Test
  void aWrongTokenIsRefusedOnce() throws Exception {
    try (LossyProxy proxy = newProxy()) {
      for (Map<String, String> login :
          List.of(Map.of("token", "guessed"), Map.<String, String>of())) {
        int before = proxy.seen(ANY).size();
        assertThatThrownBy(() -> Subject.client(proxy.uri(), login))
            .isInstanceOf(NotAuthorizedException.class);
        assertThat(proxy.seen(ANY)).hasSize(before + 1);
      }
    }
  }

  /** One catalog for many users, as Trino has it: each call is its user's. */
  @Test
  void everySessionHasItsOwnRights() throws Exception {
    try (LossyProxy proxy = newProxy();
        RESTSessionCatalog sessions = new RESTSessionCatalog()) {
      sessions.initialize("sessions", properties(proxy, credential("alice")));
      Namespace namespace = Subject.newNamespace();
      asked(sessions, Map.of()).createNamespace(namespace);
      for (String kind : List.of("credential", "token")) {
        Map<String, String> bob = Map.of(kind, Subject.secret("bob", kind));
        assertThat(asked(sessions, bob).listNamespaces()).contains(namespace);
        assertThatThrownBy(() -> asked(sessions, bob).dropNamespace(namespace))
            .isInstanceOf(ForbiddenException.class);
      }
      String idToken = "urn:ietf:params:oauth:token-type:id_token";
      assertThatThrownBy(() -> asked(sessions, Map.of(idToken, "a.b.c")).listNamespaces())
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("unsupported_grant_type");
      asked(sessions, Map.of()).dropNamespace(namespace);
    }
  }

  /** The provider's tokens, by its token endpoint and as they are. */
  @Test
  void anIdentityProviderLetsIn() throws Exception {
    Map<String, String> byCredential =
        Map.of(
            "credential", Subject.secret("alice", "credential"),
            "oauth2-server-uri", Subject.openIdTokenUri());
    Map<String, String> byToken = Map.of("token", Subject.secret("alice", "openid"));
    for (Map<String, String> login : List.of(byCredential, byToken)) {
      try (World w = new World(Subject.openIdUri(), login)) {
        appendSomething(w);
        assertThat(w.proxy.seen(FOR_TOKENS)).isEmpty();
      }
    }
  }

  @Test
  void anIdentityProviderKeepsOut() throws Exception {
    try (LossyProxy proxy = new LossyProxy(new Upstream(Subject.openIdUri(), ""))) {
      assertThatThrownBy(
              () ->
                  Subject.client(proxy.uri(), Map.of("token", Subject.secret("expired", "openid"))))
          .isInstanceOf(NotAuthorizedException.class)
          .hasMessageContaining("expired");
      assertThatThrownBy(
              () -> Subject.client(proxy.uri(), Map.of("token", Subject.secret("alice", "token"))))
          .isInstanceOf(NotAuthorizedException.class);
      try (RESTCatalog bob =
          Subject.client(proxy.uri(), Map.of("token", Subject.secret("bob", "openid")))) {
        assertThatThrownBy(() -> bob.createNamespace(Subject.newNamespace()))
            .isInstanceOf(ForbiddenException.class);
      }
    }
  }

  /** Who goes for a token where there is no endpoint hears of it. */
  @Test
  void aServerWithoutEndpointSaysSo() throws Exception {
    try (LossyProxy proxy = new LossyProxy(new Upstream(Subject.openIdUri(), ""))) {
      assertThatThrownBy(() -> Subject.client(proxy.uri(), credential("alice")))
          .hasMessageContaining("oauth2-server-uri");
      assertThat(proxy.seen(ANY)).hasSize(1);
    }
  }

  private static LossyProxy newProxy() throws Exception {
    return new LossyProxy(new Upstream(Subject.uri(), ""));
  }

  /**
   * A client whose first token ends at once: the proxy gives it, one that the server knows and that
   * does not say itself when it ends.
   */
  private static RESTCatalog shortLived(LossyProxy proxy, Map<String, String> login) {
    String answer =
        "{\"access_token\":\"%s\",\"token_type\":\"bearer\",\"expires_in\":1}"
            .formatted(Subject.secret("alice", "token"));
    proxy.onNext(
        FOR_TOKENS,
        request ->
            Optional.of(
                new Answer(
                    200,
                    Map.of("Content-Type", List.of("application/json")),
                    answer.getBytes(StandardCharsets.UTF_8))));
    return Subject.client(proxy.uri(), login);
  }

  /** The client takes its new token a moment after the server has given it. */
  private static Seen callUntilItHas(String token, LossyProxy proxy, RESTCatalog client)
      throws InterruptedException {
    Predicate<Request> withIt = request -> request.token().filter(token::equals).isPresent();
    while (proxy.seen(withIt).isEmpty()) {
      client.listNamespaces();
    }
    return proxy.await(1, withIt).get(0);
  }

  private static Map<String, String> properties(LossyProxy proxy, Map<String, String> login) {
    Map<String, String> properties = new HashMap<>(login);
    properties.put("uri", proxy.uri());
    properties.put("warehouse", System.getProperty("warehouse", "warehouse"));
    return properties;
  }

  private static SupportsNamespaces asked(RESTSessionCatalog of, Map<String, String> credentials) {
    String session = UUID.randomUUID().toString();
    Catalog catalog = of.asCatalog(new SessionContext(session, "user", credentials, Map.of()));
    return (SupportsNamespaces) catalog;
  }

  private static String tokenIn(Answer answer) {
    return answer.text().replaceFirst("(?s).*\"access_token\"\\s*:\\s*\"([^\"]+)\".*", "$1");
  }

  private static void appendSomething(World w) {
    Table table = w.newTable("t");
    table.newAppend().appendFile(Rows.write(table, 1, 2)).commit();
    assertThat(Rows.read(w.direct.loadTable(w.named("t")))).isEqualTo(Rows.ids(1, 2));
  }
}
