// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.FailureHandlers;
import io.quickscorer.testing.NumberFlow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.opensearch.core.action.ActionListener;
import org.opensearch.test.OpenSearchTestCase;

/** A handler of failures that throws leaves a request without an answer: see {@link Guard}. */
public class FailureHandlersTests extends OpenSearchTestCase {
  /** The methods that handlers of failures may call, each with the reason why it does not throw. */
  private static final Map<String, List<String>> SAFE =
      Map.of(
          "it reads a failure, or creates one",
          List.of(
              "FeatureSetStore.missingIndex",
              "ModelManifest.id",
              "ModelNodes$NodeState.of",
              "ModelNodes.mayCatchUp",
              "ModelNodes.unloaded",
              "ModelUploads.cancelled",
              "StoredChunks.isBroken"),
          "it gives memory back",
          List.of("MemoryCharge.close"),
          "it creates the answer",
          List.of(
              "Activation$Publication.newResponse", "Import$Lines.done", "SearchBatch$Item.<init>"),
          "it handles its own exceptions",
          List.of(
              "CatalogueKeeper.schedule",
              "RescoreActionFilter$Attempt.failed",
              "SearchWarmUp.after"),
          "it only reads or changes what the node keeps",
          List.of(
              "CatalogueKeeper.leads",
              "ModelLoading.begin",
              "ModelLoading.failed",
              "ModelLoading.stopped",
              "ModelRegistry.expireRetired"));

  public void testHandlersRunNothingThatThrows() throws Exception {
    assertEquals(
        Set.of("Guard.recovering: delegateResponse"),
        FailureHandlers.inModuleOf(QuickScorerPlugin.class, NumberFlow.listed(SAFE)));
  }

  public void testAHandlerThatThrowsIsAnswered() {
    AtomicReference<Exception> answer = new AtomicReference<>();
    ActionListener<Void> listener = ActionListener.wrap(done -> fail(), answer::set);
    Exception failure = new IllegalArgumentException("the failure");
    RuntimeException thrown = new IllegalStateException("the handler's");
    Guard.recovering(
            listener,
            (l, e) -> {
              throw thrown;
            })
        .onFailure(failure);
    assertSame(thrown, answer.get());
    assertSame(failure, thrown.getSuppressed()[0]);
    Guard.recovering(
            listener,
            (l, e) -> {
              throw thrown;
            })
        .onFailure(thrown);
    assertEquals(1, thrown.getSuppressed().length);
  }
}
