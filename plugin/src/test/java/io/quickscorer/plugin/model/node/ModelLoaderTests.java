// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelStore;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.client.NoOpClient;

public class ModelLoaderTests extends OpenSearchTestCase {
  /** Counts what is held. */
  private static final class Counting extends NoopCircuitBreaker {
    private long held;
    private long most;

    Counting() {
      super(ModelBreaker.NAME);
    }

    @Override
    public double addEstimateBytesAndMaybeBreak(long bytes, String label) {
      return addWithoutBreaking(bytes);
    }

    @Override
    public long addWithoutBreaking(long bytes) {
      held += bytes;
      most = Math.max(most, held);
      return held;
    }
  }

  /** A store may fail before it has taken the listener. */
  public void testReservationIsGivenBackWhenTheStoreThrows() {
    Counting counting = new Counting();
    ModelBreaker breaker = new ModelBreaker(counting);
    AtomicReference<Exception> failure = new AtomicReference<>();
    try (NoOpClient client =
        new NoOpClient(getTestName()) {
          @Override
          protected <Q extends ActionRequest, R extends ActionResponse> void doExecute(
              ActionType<R> action, Q request, ActionListener<R> listener) {
            throw new IllegalStateException("thrown at once");
          }
        }) {
      ModelSettings settings =
          new ModelSettings(
              Settings.EMPTY, new ClusterSettings(Settings.EMPTY, Set.copyOf(ModelSettings.all())));
      ModelStore store = new ModelStore(client, new ModelIndex(client, null), breaker);
      new ModelLoader(store, breaker, settings, new Quarantine())
          .load(
              new ModelManifest(
                  new ModelId("m", "1"), "key", "", 1, 1, 1, 1, 1, ModelManifest.Checksums.NONE),
              Runnable::run,
              share -> {},
              () -> false,
              ActionListener.wrap(loaded -> fail("there is nothing to load"), failure::set));
    }
    assertEquals("thrown at once", failure.get().getMessage());
    assertTrue(counting.most > 0);
    assertEquals(0, counting.held);
  }
}
