// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.After;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

public class MaxWaitTests extends OpenSearchTestCase {
  private final ThreadPool threads = new TestThreadPool("max_wait");

  @After
  public void stop() {
    ThreadPool.terminate(threads, 30, TimeUnit.SECONDS);
  }

  private PlainActionFuture<String> within(String wait, Consumer<ActionListener<String>> step) {
    ClauseOptions options = ClauseOptions.read(new BytesArray("{\"model\":\"slow\"" + wait + "}"));
    PlainActionFuture<String> answer = new PlainActionFuture<>();
    ClauseState.within(
        new EnsembleRescorerBuilder.RequestedClause(options, 0, null, null, null, null, () -> null),
        threads,
        answer,
        step);
    return answer;
  }

  public void testAModelThatIsThereNeedsNoTime() {
    for (String wait : new String[] {"", ",\"max_wait\":\"0\"", ",\"max_wait\":\"1h\""}) {
      assertEquals("there", within(wait, step -> step.onResponse("there")).actionGet());
    }
  }

  public void testALaterAnswerIsTakenIfThereIsTime() {
    AtomicReference<ActionListener<String>> step = new AtomicReference<>();
    PlainActionFuture<String> answer = within(",\"max_wait\":\"1h\"", step::set);
    assertFalse(answer.isDone());
    step.get().onResponse("loaded");
    assertEquals("loaded", answer.actionGet());
  }

  public void testASearchWaitsNoLonger() {
    AtomicReference<ActionListener<String>> step = new AtomicReference<>();
    PlainActionFuture<String> answer =
        within(",\"max_wait\":\"" + randomIntBetween(0, 20) + "ms\"", step::set);
    OpenSearchStatusException late =
        expectThrows(OpenSearchStatusException.class, answer::actionGet);
    assertEquals(RestStatus.SERVICE_UNAVAILABLE, late.status());
    assertTrue(
        late.getMessage(),
        late.getMessage().startsWith("the clause's models [slow] were not loaded within"));
    step.get().onResponse("too late");
  }
}
