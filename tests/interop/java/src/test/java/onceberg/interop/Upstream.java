package onceberg.interop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import onceberg.interop.Http.Answer;
import onceberg.interop.Http.Request;

/** The server behind the proxy. It remembers what the server answered to keyed requests. */
final class Upstream {
  /** Headers that belong to one connection, or that the HTTP client sets by itself. */
  private static final Set<String> HOP =
      Set.of(
          "connection", "content-length", "expect", "host", "http2-settings", "keep-alive",
          "transfer-encoding", "upgrade",
          // The proxy reads the answers, so they come uncompressed.
          "accept-encoding");

  private final String uri;
  private final String advertise;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Subject.PATIENCE)
          .build();
  private final Map<String, List<Answer>> answers = new HashMap<>();

  Upstream(String uri, String advertise) {
    this.uri = uri;
    this.advertise = advertise;
  }

  /** Sends the request and waits for the whole answer. */
  Answer send(Request request) throws IOException, InterruptedException {
    return note(request, http.send(prepare(request), BodyHandlers.ofByteArray()));
  }

  /** Sends the request; the answer comes when it comes. */
  CompletableFuture<Answer> start(Request request) {
    return http.sendAsync(prepare(request), BodyHandlers.ofByteArray())
        .thenApply(response -> note(request, response));
  }

  /** All that the server answered to a key, in the order in which the answers came. */
  synchronized List<Answer> answersTo(String key) {
    return List.copyOf(answers.getOrDefault(key, List.of()));
  }

  private HttpRequest prepare(Request request) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(uri + request.target()))
            .timeout(Subject.PATIENCE)
            .method(request.method(), BodyPublishers.ofByteArray(request.body()));
    request
        .headers()
        .forEach(
            (name, values) -> {
              if (!HOP.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> builder.header(name, value));
              }
            });
    return builder.build();
  }

  private Answer note(Request request, HttpResponse<byte[]> response) {
    Map<String, List<String>> headers = new HashMap<>();
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!HOP.contains(name.toLowerCase(Locale.ROOT))) {
                headers.put(name, values);
              }
            });
    Answer answer = new Answer(response.statusCode(), headers, response.body());
    synchronized (this) {
      request.key().ifPresent(k -> answers.computeIfAbsent(k, x -> new ArrayList<>()).add(answer));
    }
    return advertised(request, answer);
  }

  /** Adds a lifetime of keys to the configuration of a server that advertises none. */
  private Answer advertised(Request request, Answer answer) {
    boolean config = request.is("GET", "/v1/config") && answer.status() == 200;
    if (!config || advertise.isEmpty() || answer.text().contains("idempotency-key-lifetime")) {
      return answer;
    }
    String text =
        answer.text().replaceFirst("\\{", "{\"idempotency-key-lifetime\":\"" + advertise + "\",");
    return new Answer(200, answer.headers(), text.getBytes(StandardCharsets.UTF_8));
  }
}
