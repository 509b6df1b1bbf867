package onceberg.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import onceberg.interop.Http.Request;
import onceberg.interop.LossyProxy.Seen;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two clients append to one table at the same time, and answers get lost to both of them. */
@Timeout(120)
class RacingClientsTest {
  private static final int CLIENTS = 2;
  private static final int APPENDS = 8;
  private static final int LOST = 4;

  /**
   * Whoever loses a race or an answer comes back by itself, and in the end every row is there once:
   * a commit that is sent again is neither a second one nor in its own way.
   */
  @Test
  void everyRowIsThereOnce() throws Exception {
    try (World w = new World()) {
      w.newTable("t", Map.of("commit.retry.num-retries", "100", "commit.retry.min-wait-ms", "10"));
      Predicate<Request> commits = w.commitsOf("tables", "t");
      Predicate<Request> firsts = firstOfItsKey(commits);
      for (int i = 0; i < LOST; i++) {
        w.proxy.loseAnswerTo(firsts);
      }

      race(w);

      assertSentAgain(w.proxy.seen(commits));
      Table table = w.direct.loadTable(w.named("t"));
      assertThat(Rows.read(table))
          .isEqualTo(LongStream.range(0, CLIENTS * APPENDS).boxed().toList());
      assertThat(table.snapshots()).hasSize(CLIENTS * APPENDS);
      assertThat(
              StreamSupport.stream(table.snapshots().spliterator(), false).map(Snapshot::parentId))
          .as("the parents of the snapshots")
          .doesNotHaveDuplicates();
    }
  }

  /** Lets the clients append until all have appended all. */
  private static void race(World w) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int writer = i;
        writers.add(threads.submit(() -> append(w, (long) writer * APPENDS)));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Void append(World w, long from) throws Exception {
    try (RESTCatalog client = Subject.client(w.proxy.uri())) {
      Table table = client.loadTable(w.named("t"));
      for (long id = from; id < from + APPENDS; id++) {
        table.newAppend().appendFile(Rows.write(table, id)).commit();
      }
    }
    return null;
  }

  /** Requests whose key has not been seen; the answer to a retry is never lost. */
  private static Predicate<Request> firstOfItsKey(Predicate<Request> which) {
    Set<String> keys = new HashSet<>();
    return request -> which.test(request) && keys.add(request.key().orElseThrow());
  }

  /**
   * As many commits were sent twice as answers were lost, with the key and the body of the first.
   */
  private static void assertSentAgain(List<Seen> commits) {
    Map<String, Set<String>> bodies = new java.util.HashMap<>();
    commits.forEach(
        seen ->
            bodies
                .computeIfAbsent(seen.request().key().orElseThrow(), key -> new HashSet<>())
                .add(seen.request().text()));
    assertThat(bodies.values()).allSatisfy(ofKey -> assertThat(ofKey).hasSize(1));
    assertThat(commits).hasSize(bodies.size() + LOST);
  }
}
