package onceberg.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import onceberg.interop.Http.Answer;
import onceberg.interop.Http.Request;
import onceberg.interop.LossyProxy.Seen;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The second failure story: the first attempt is still running when the retry comes. Told to come
 * back, the client waits; told that it conflicts, it takes its commit for lost and deletes its
 * files.
 */
@Timeout(120)
class InProgressTest {
  /** Longer than a server lets a retry wait before it says something. */
  private static final long LONGEST_WAIT_SECONDS = 8;

  @Test
  void aRetryWaitsForTheFirstAttempt() throws Exception {
    try (World w = new World();
        FirstAttempt first = new FirstAttempt(w)) {
      Table table = w.newTable("t");
      w.proxy.onNext(w.commitsOf("tables", "t"), first::startAndGiveUp);
      w.proxy.onNext(w.commitsOf("tables", "t"), first::retryWhileItRuns);

      table.newAppend().appendFile(Rows.write(table, 1, 2, 3)).commit();

      Answer applied = first.finish();
      assertThat(applied.status()).as("the first attempt: " + applied).isEqualTo(200);
      Answer retried = first.retried;
      if (Subject.inProgress().equals("wait")) {
        assertThat(retried.status()).as("the retry: " + retried).isEqualTo(200);
      } else {
        int expected = Integer.parseInt(Subject.inProgress());
        assertThat(retried.status()).as("the retry: " + retried).isEqualTo(expected);
        assertThat(retried.header("retry-after").map(Integer::parseInt).orElse(0))
            .as("Retry-After while the first attempt runs")
            .isPositive();
      }
      assertAppliedOnce(w, applied);
    }
  }

  /**
   * The control: here the proxy answers the retry with a conflict, as a careless server would. If
   * this fails, the client has become more careful, or these tests no longer see a broken table.
   */
  @Test
  void aRetryThatIsToldOfAConflictLosesTheTable() throws Exception {
    try (World w = new World();
        FirstAttempt first = new FirstAttempt(w)) {
      Table table = w.newTable("t", Map.of("commit.retry.num-retries", "0"));
      w.proxy.onNext(w.commitsOf("tables", "t"), first::startAndGiveUp);
      w.proxy.onNext(
          w.commitsOf("tables", "t"),
          request -> Optional.of(Answer.failure(409, "CommitFailedException", Map.of())));

      var append = table.newAppend().appendFile(Rows.write(table, 1, 2, 3));
      assertThatThrownBy(append::commit).isInstanceOf(CommitFailedException.class);

      Answer applied = first.finish();
      assertThat(applied.status()).as("the first attempt: " + applied).isEqualTo(200);
      Table corrupt = w.direct.loadTable(w.named("t"));
      assertThat(corrupt.snapshots()).hasSize(1);
      assertThatThrownBy(() -> Rows.read(corrupt)).isInstanceOf(NotFoundException.class);
    }
  }

  private static void assertAppliedOnce(World w, Answer applied) {
    List<Seen> posts = w.proxy.seen(w.commitsOf("tables", "t"));
    assertThat(posts).extracting(s -> s.request().key()).containsOnly(posts.get(0).request().key());
    Answer last = posts.get(posts.size() - 1).answer().orElseThrow();
    assertThat(last.status()).as("what the client was told in the end: " + last).isEqualTo(200);
    assertThat(last.metadataLocation()).isEqualTo(applied.metadataLocation());
    Table table = w.direct.loadTable(w.named("t"));
    assertThat(table.snapshots()).hasSize(1);
    assertThat(Rows.read(table)).isEqualTo(Rows.ids(1, 2, 3));
  }

  /** An attempt that hangs in the server while its client already comes again. */
  private static final class FirstAttempt implements AutoCloseable {
    private final World world;
    private Hold hold;
    private CompletableFuture<Answer> running;
    private Answer retried;

    FirstAttempt(World world) {
      this.world = world;
    }

    /** Lets the server begin, and tells the client to come back as a gateway would. */
    Optional<Answer> startAndGiveUp(Request request) throws IOException, InterruptedException {
      hold = new Hold();
      running = world.proxy.upstream().start(request);
      return Optional.of(Answer.comeBack());
    }

    /** Sends the retry, and lets the first attempt go on once the server said something. */
    Optional<Answer> retryWhileItRuns(Request request) throws IOException, InterruptedException {
      assertThat(running).as("the first attempt, before the retry").isNotDone();
      CompletableFuture<Answer> retry = world.proxy.upstream().start(request);
      try {
        retried = retry.get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException waits) {
        hold.release();
        retried = get(retry);
      } catch (ExecutionException e) {
        throw new IOException(e);
      } finally {
        hold.release();
      }
      return Optional.of(retried);
    }

    /** Lets it go on, if nobody has yet, and waits for its end. */
    Answer finish() throws IOException, InterruptedException {
      hold.release();
      return get(running);
    }

    @Override
    public void close() throws IOException, InterruptedException {
      if (hold != null) {
        hold.release();
      }
    }

    private static Answer get(CompletableFuture<Answer> answer)
        throws IOException, InterruptedException {
      try {
        return answer.get(Subject.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException(e);
      }
    }
  }
}
