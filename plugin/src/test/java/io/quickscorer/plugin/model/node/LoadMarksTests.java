// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.guard.CaughtError;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ModelId;
import java.nio.file.Path;
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

  public void testAModelDuringWhoseLoadTheNodeDiedIsQuarantined() {
    Path data = createTempDir();
    LoadMarks before = new LoadMarks(data);
    Releasable done = before.begin(OTHER, "its load");
    before.begin(ID, "its load");
    before.begin(ID, "its warm-up");
    done.close();
    // The node dies here.
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

  public void testANodeThatIsStoppedLeavesNoMarks() {
    Path data = createTempDir();
    LoadMarks before = new LoadMarks(data);
    before.begin(ID, "its load");
    before.close();
    assertNull(new LoadMarks(data).refusal(ID));
  }

  public void testAMarkStaysUntilTheLastOfItsLoadsHasEnded() {
    Path data = createTempDir();
    LoadMarks before = new LoadMarks(data);
    Releasable first = before.begin(ID, "its load");
    Releasable second = before.begin(ID, "its load");
    first.close();
    first.close();
    assertNotNull(new LoadMarks(data).refusal(ID));
    second.close();
    assertNull(new LoadMarks(data).refusal(ID));
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
                    + " to retry, or delete it"));
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
