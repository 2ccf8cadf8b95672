// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.guard.CaughtError;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ModelId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.test.MockLogAppender;
import org.opensearch.test.OpenSearchTestCase;

public class LoadMarksTests extends OpenSearchTestCase {
  private static final ModelId ID = new ModelId("m", "1a");
  private static final ModelId OTHER = new ModelId("n", "1a");

  private static CaughtError overflow() {
    return expectThrows(
        CaughtError.class,
        () ->
            Guard.run(
                () -> "the model",
                () -> {
                  throw new StackOverflowError();
                }));
  }

  /** The marks of unfinished work. */
  private static List<Path> marks(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("quickscorer").resolve("loading"))) {
      return files.filter(file -> file.toString().contains("-its-")).toList();
    }
  }

  /** A run of a node that dies while it loads {@link #ID} and warms it up. */
  private static void die(Path data) {
    LoadMarks marks = new LoadMarks(data);
    assertNull(marks.reason(ID));
    Releasable done = marks.begin(OTHER, "its load");
    marks.begin(ID, "its load");
    marks.begin(ID, "its warm-up");
    done.close();
  }

  public void testAModelDuringWhoseLoadTheNodeDiedTwiceIsQuarantined() {
    Path data = createTempDir();
    die(data);
    die(data);
    LoadMarks after = new LoadMarks(data);
    assertNull(after.reason(OTHER));
    OpenSearchStatusException refused = after.refusal(ID);
    assertNotNull(refused);
    assertEquals(RestStatus.SERVICE_UNAVAILABLE, refused.status());
    assertThat(refused.getMessage(), containsString("quarantined, because the node died "));
    assertThat(refused.getMessage(), containsString("upload the model again"));
    assertNotNull(new LoadMarks(data).reason(ID));
    after.retry(ID);
    assertNull(after.refusal(ID));
    assertNull(new LoadMarks(data).refusal(ID));
  }

  public void testDeathsMoreThanAnHourApartDoNotQuarantine() throws Exception {
    Path data = createTempDir();
    for (int hours = 6; hours > 0; hours -= 2) {
      die(data);
      FileTime then = FileTime.from(Instant.now().minus(Duration.ofHours(hours)));
      for (Path mark : marks(data)) {
        Files.setLastModifiedTime(mark, then);
      }
    }
    assertNull(new LoadMarks(data).reason(ID));
    die(data);
    assertNull(new LoadMarks(data).reason(ID));
  }

  public void testADeathOfADeletedModelIsForgotten() {
    Path data = createTempDir();
    die(data);
    new LoadMarks(data).retain(id -> !id.equals(ID));
    die(data);
    assertNull(new LoadMarks(data).reason(ID));
  }

  public void testANodeThatIsStoppedLeavesNoMarks() {
    Path data = createTempDir();
    die(data);
    LoadMarks before = new LoadMarks(data);
    before.begin(ID, "its load");
    before.close();
    assertNull(new LoadMarks(data).refusal(ID));
  }

  public void testAMarkStaysUntilTheLastOfItsLoadsHasEnded() throws Exception {
    Path data = createTempDir();
    LoadMarks marks = new LoadMarks(data);
    Releasable first = marks.begin(ID, "its load");
    Releasable second = marks.begin(ID, "its load");
    first.close();
    first.close();
    assertEquals(1, marks(data).size());
    second.close();
    assertEquals(List.of(), marks(data));
  }

  public void testTwoErrorsQuarantine() throws Exception {
    Path data = createTempDir();
    LoadMarks marks = new LoadMarks(data);
    marks.failed(ID, new IllegalStateException("no memory"));
    marks.failed(ID, new IllegalStateException("no memory"));
    marks.failed(ID, new RuntimeException(overflow()));
    assertNull(marks.refusal(ID));
    try (MockLogAppender log =
        MockLogAppender.createForLoggers(LogManager.getLogger(LoadMarks.class))) {
      for (String seen : new String[] {"when it is quarantined", "after a restart"}) {
        log.addExpectation(
            new MockLogAppender.PatternSeenEventExpectation(
                seen,
                LoadMarks.class.getName(),
                Level.ERROR,
                "model \\[m@1a] is not loaded: quarantined, because the loading or warm-up of the"
                    + " model failed 2 times: the model is nested too deep.*upload the model again"
                    + " to retry, or set an alias to it, or delete it"));
        if (seen.startsWith("when")) {
          marks.failed(ID, overflow());
          assertNotNull(marks.refusal(ID));
        } else {
          assertThat(
              new LoadMarks(data).reason(ID), containsString("the model is nested too deep"));
        }
        log.assertAllExpectationsMatched();
      }
    }
    marks.retain(id -> !id.equals(ID));
    assertNull(new LoadMarks(data).refusal(ID));
  }

  public void testANodeWithoutFoldersQuarantinesUntilItEnds() {
    LoadMarks marks = new LoadMarks();
    marks.begin(ID, "its load").close();
    marks.failed(ID, overflow());
    marks.failed(ID, overflow());
    assertNotNull(marks.refusal(ID));
    marks.retry(ID);
    assertNull(marks.refusal(ID));
  }
}
