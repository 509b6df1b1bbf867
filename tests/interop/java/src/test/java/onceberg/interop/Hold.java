package onceberg.interop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * Makes the server hang in whatever changes the catalog, by asking the harness, which holds a lock
 * in the server's database. So a request is really being executed for as long as a test needs.
 */
final class Hold {
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Subject.PATIENCE).build();
  private boolean held;

  Hold() throws IOException, InterruptedException {
    ask("POST");
    held = true;
  }

  /** Lets the server go on; only the first call does something. */
  synchronized void release() throws IOException, InterruptedException {
    if (held) {
      held = false;
      ask("DELETE");
    }
  }

  private void ask(String method) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(Subject.holdUri()))
            .timeout(Subject.PATIENCE)
            .method(method, BodyPublishers.noBody())
            .build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 204) {
      throw new IOException("hold: " + response.statusCode() + " " + response.body());
    }
  }
}
