package onceberg.interop;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests and answers as bytes: what a proxy knows of them. */
final class Http {
  private Http() {}

  /** A request; its target is the raw path with the query, exactly as it was sent. */
  record Request(String method, String target, Map<String, List<String>> headers, byte[] body) {
    /** Whether it has this method, and a path that ends so. */
    boolean is(String wanted, String pathEnd) {
      return method.equals(wanted) && target.split("\\?", 2)[0].endsWith(pathEnd);
    }

    Optional<String> key() {
      return header(headers, "idempotency-key");
    }

    /** The token that it comes with. */
    Optional<String> token() {
      return header(headers, "authorization").map(value -> value.replaceFirst("^Bearer ", ""));
    }

    /** The same request of whoever has this token. */
    Request by(String token) {
      Map<String, List<String>> with = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      with.putAll(headers);
      with.put("Authorization", List.of("Bearer " + token));
      return new Request(method, target, with, body);
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return method + " " + target + key().map(k -> " [" + k + "]").orElse("");
    }
  }

  /** An answer. */
  record Answer(int status, Map<String, List<String>> headers, byte[] body) {
    private static final Pattern METADATA_LOCATION =
        Pattern.compile("\"metadata-location\"\\s*:\\s*\"([^\"]*)\"");

    /** What a gateway says when it gave up on the server too early. */
    static Answer comeBack() {
      return failure(503, "ServiceUnavailableException", Map.of("Retry-After", List.of("1")));
    }

    static Answer failure(int status, String type, Map<String, List<String>> headers) {
      String body =
          "{\"error\":{\"message\":\"made up by the proxy\",\"type\":\"%s\",\"code\":%d}}"
              .formatted(type, status);
      return new Answer(status, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    Optional<String> header(String name) {
      return Http.header(headers, name);
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    /** Where the table or view lies after the change, if the answer says so. */
    Optional<String> metadataLocation() {
      Matcher matcher = METADATA_LOCATION.matcher(text());
      return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    @Override
    public String toString() {
      return status + " " + text();
    }
  }

  private static Optional<String> header(Map<String, List<String>> headers, String name) {
    return headers.entrySet().stream()
        .filter(e -> e.getKey() != null && e.getKey().toLowerCase(Locale.ROOT).equals(name))
        .flatMap(e -> e.getValue().stream())
        .findFirst();
  }
}
