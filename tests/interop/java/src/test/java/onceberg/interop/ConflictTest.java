package onceberg.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import onceberg.interop.Http.Answer;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The control: what the client does when a commit that landed is answered with a conflict, as by a
 * server that takes a retry for a new request. Here the proxy plays that server. If this fails, the
 * client has become more careful, or the other tests no longer see a broken table.
 */
@Timeout(120)
class ConflictTest {
  /** The client, its own retries used up, deletes the manifests that the table needs. */
  @Test
  void aConflictLosesTheTable() throws Exception {
    try (World w = new World()) {
      Table table = w.newTable("t", Map.of("commit.retry.num-retries", "0"));
      w.proxy.onNext(
          w.commitsOf("tables", "t"),
          request -> {
            w.proxy.upstream().send(request);
            return Optional.of(Answer.failure(409, "CommitFailedException", Map.of()));
          });

      var append = table.newAppend().appendFile(Rows.write(table, 1, 2, 3));
      assertThatThrownBy(append::commit).isInstanceOf(CommitFailedException.class);

      Table corrupt = w.direct.loadTable(w.named("t"));
      assertThat(corrupt.snapshots()).as("the commit was applied").hasSize(1);
      assertThatThrownBy(() -> Rows.read(corrupt)).isInstanceOf(NotFoundException.class);
    }
  }
}
