package onceberg.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import onceberg.interop.Http.Answer;
import onceberg.interop.Http.Request;
import onceberg.interop.LossyProxy.Seen;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.RESTException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The first failure story: the server did what it was asked, and the client was not told. */
@Timeout(120)
class LostAnswerTest {

  /**
   * A gateway swallows the answer to a commit. The client posts the same bytes with the same key
   * again, and is told of its success: one snapshot, and a table that can be read.
   */
  @Test
  void aCommitWhoseAnswerIsLostIsAppliedOnce() throws Exception {
    try (World w = new World()) {
      Table table = w.newTable("t");
      w.proxy.loseAnswerTo(w.commitsOf("tables", "t"));

      table.newAppend().appendFile(Rows.write(table, 1, 2, 3)).commit();

      List<Seen> posts = w.proxy.seen(w.commitsOf("tables", "t"));
      assertThat(posts).hasSize(2);
      assertSameRequest(posts.get(0).request(), posts.get(1).request());
      assertSameOutcome(w, posts.get(0).request());
      assertOneSnapshot(w, 1, 2, 3);
    }
  }

  /** As above, for everything that the client sends with a key. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("onceberg.interop.Mutation#all")
  void aChangeWhoseAnswerIsLostSucceeds(Mutation mutation) throws Exception {
    try (World w = new World()) {
      mutation.prepare().accept(w);
      w.proxy.loseAnswerTo(mutation.requests());

      mutation.act().accept(w);

      List<Seen> sent = w.proxy.seen(mutation.requests());
      assertThat(sent).hasSize(2);
      assertSameRequest(sent.get(0).request(), sent.get(1).request());
      assertSameOutcome(w, sent.get(0).request());
      mutation.check().accept(w);
    }
  }

  /**
   * The connection breaks after the server committed. The client does not post again by itself, it
   * keeps its files and reports that it does not know. Whoever then sends the request once more
   * gets the outcome of the first.
   */
  @Test
  void aCommitWhoseConnectionBreaksCanBeSentAgain() throws Exception {
    try (World w = new World()) {
      Table table = w.newTable("t");
      w.proxy.onNext(
          w.commitsOf("tables", "t"),
          request -> {
            w.proxy.upstream().send(request);
            return Optional.empty();
          });

      var append = table.newAppend().appendFile(Rows.write(table, 1, 2, 3));
      assertThatThrownBy(append::commit).isInstanceOf(RESTException.class);

      Request request = w.proxy.seen(w.commitsOf("tables", "t")).get(0).request();
      w.proxy.upstream().send(request);
      assertSameOutcome(w, request);
      assertOneSnapshot(w, 1, 2, 3);
    }
  }

  /**
   * The first attempt is stuck on the way: its bytes reach the server only after the retry was
   * answered. It must find that its work is done.
   */
  @Test
  void anAttemptThatArrivesAfterItsRetryChangesNothing() throws Exception {
    try (World w = new World()) {
      Table table = w.newTable("t");
      AtomicReference<Request> stuck = new AtomicReference<>();
      w.proxy.onNext(
          w.commitsOf("tables", "t"),
          request -> {
            stuck.set(request);
            return Optional.of(Answer.comeBack());
          });

      table.newAppend().appendFile(Rows.write(table, 1, 2, 3)).commit();

      Answer late = w.proxy.upstream().send(stuck.get());
      assertThat(late.status()).as("the late attempt: " + late).isEqualTo(200);
      assertSameOutcome(w, stuck.get());
      assertOneSnapshot(w, 1, 2, 3);
    }
  }

  /** A gateway that repeats requests sends a commit twice at the same time. */
  @Test
  void twoCopiesOfACommitAtTheSameTimeAreOne() throws Exception {
    try (World w = new World()) {
      Table table = w.newTable("t");
      w.proxy.onNext(
          w.commitsOf("tables", "t"),
          request -> {
            CompletableFuture<Answer> twin = w.proxy.upstream().start(request);
            Answer answer = w.proxy.upstream().send(request);
            twin.orTimeout(Subject.PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
            return Optional.of(answer);
          });

      table.newAppend().appendFile(Rows.write(table, 1, 2, 3)).commit();

      Request request = w.proxy.seen(w.commitsOf("tables", "t")).get(0).request();
      assertSameOutcome(w, request);
      assertOneSnapshot(w, 1, 2, 3);
    }
  }

  private static void assertSameRequest(Request first, Request second) {
    assertThat(first.key()).as("the client sends keys").isPresent();
    assertThat(second.key()).as("the key of the retry").isEqualTo(first.key());
    assertThat(second.text()).as("the body of the retry").isEqualTo(first.text());
  }

  /** The server answered every attempt alike: with the success of the first. */
  private static void assertSameOutcome(World w, Request request) {
    List<Answer> answers = w.proxy.upstream().answersTo(request.key().orElseThrow());
    assertThat(answers).hasSizeGreaterThanOrEqualTo(2);
    assertThat(answers).extracting(Answer::status).containsOnly(answers.get(0).status());
    assertThat(answers.get(0).status()).as("the server's answer").isIn(200, 204);
    assertThat(answers)
        .extracting(Answer::metadataLocation)
        .containsOnly(answers.get(0).metadataLocation());
  }

  private static void assertOneSnapshot(World w, long... ids) {
    Table table = w.direct.loadTable(w.named("t"));
    assertThat(table.snapshots()).as("the table's snapshots").hasSize(1);
    assertThat(Rows.read(table)).as("the table's rows").isEqualTo(Rows.ids(ids));
  }
}
