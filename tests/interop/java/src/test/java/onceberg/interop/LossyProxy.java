package onceberg.interop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import onceberg.interop.Http.Answer;
import onceberg.interop.Http.Request;

/**
 * A reverse proxy that forwards everything to the server, writes down what it saw, and spoils the
 * exchanges it was told to spoil.
 */
final class LossyProxy implements AutoCloseable {
  /** What becomes of one request: returns what the client is told; empty hangs up on it. */
  interface Fault {
    Optional<Answer> apply(Request request) throws IOException, InterruptedException;
  }

  /** A request that came by, and what the client was told. */
  record Seen(Request request, Optional<Answer> answer) {}

  private record Armed(Predicate<Request> which, Fault fault) {}

  private final Upstream upstream;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Armed> armed = new ArrayList<>();
  private final List<Seen> seen = new ArrayList<>();

  LossyProxy(Upstream upstream) throws IOException {
    this.upstream = upstream;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  Upstream upstream() {
    return upstream;
  }

  /** Spoils the next such request. Faults for the same requests are used up in order. */
  synchronized void onNext(Predicate<Request> which, Fault fault) {
    armed.add(new Armed(which, fault));
  }

  /** Lets the server do its work to the end, and then tells the client to come back. */
  void loseAnswerTo(Predicate<Request> which) {
    onNext(
        which,
        request -> {
          upstream.send(request);
          return Optional.of(Answer.comeBack());
        });
  }

  /** All such requests that came by, in the order in which they were answered. */
  synchronized List<Seen> seen(Predicate<Request> which) {
    return seen.stream().filter(s -> which.test(s.request())).toList();
  }

  /** As above, once there are so many. */
  synchronized List<Seen> await(int count, Predicate<Request> which) throws InterruptedException {
    long deadline = System.nanoTime() + Subject.PATIENCE.toNanos();
    while (seen(which).size() < count) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError(count + " requests never came, but these: " + seen(r -> true));
      }
      wait(left);
    }
    return seen(which);
  }

  /** Whether every fault was used: a fault that nobody met proves nothing. */
  synchronized boolean spent() {
    return armed.isEmpty();
  }

  private void handle(HttpExchange exchange) throws IOException {
    Request request =
        new Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            exchange.getRequestHeaders(),
            exchange.getRequestBody().readAllBytes());
    try (exchange) {
      Optional<Answer> answer = faultFor(request).apply(request);
      synchronized (this) {
        seen.add(new Seen(request, answer));
        notifyAll();
      }
      if (answer.isPresent()) {
        respond(exchange, answer.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the proxy was closed");
    }
  }

  private synchronized Fault faultFor(Request request) {
    for (Armed candidate : armed) {
      if (candidate.which().test(request)) {
        armed.remove(candidate);
        return candidate.fault();
      }
    }
    return r -> Optional.of(upstream.send(r));
  }

  private static void respond(HttpExchange exchange, Answer answer) throws IOException {
    answer.headers().forEach((name, values) -> exchange.getResponseHeaders().put(name, values));
    byte[] body = answer.body();
    boolean empty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(answer.status(), empty ? -1 : body.length);
    if (!empty) {
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
