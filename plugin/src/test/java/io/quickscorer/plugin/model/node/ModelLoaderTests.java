// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.compile.WarmUp;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.testing.CountingBreaker;
import io.quickscorer.plugin.testing.TestModel;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.RandomEnsembles;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.test.ClusterServiceUtils;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.client.NoOpClient;

public class ModelLoaderTests extends OpenSearchTestCase {
  private static ModelSettings settings(Settings settings) {
    return new ModelSettings(
        settings, new ClusterSettings(settings, Set.copyOf(ModelSettings.all())));
  }

  /** It was accepted under another engine, and each start of a node compiles it anew. */
  public void testAStoredModelThatTheEngineCannotTakeIsLoaded() throws Exception {
    ModelBreaker breaker = new ModelBreaker(new CountingBreaker(() -> false));
    TreeEnsemble ensemble =
        RandomEnsembles.of(new SplittableRandom(1)).trees(3).leaves(255, 255).build();
    ModelId id = new ModelId("m", "1");
    for (Algorithm engine : List.of(Algorithm.QS, Algorithm.GPU, Algorithm.LINEAR)) {
      Quarantine quarantine = new Quarantine();
      quarantine.add(id, Algorithm.BIT_SLICED);
      Settings set =
          Settings.builder()
              .put(ModelSettings.ENGINE.getKey(), engine.label())
              .put(ModelSettings.WARM_UP.getKey(), "0")
              .build();
      LoadedModel before =
          new LoadedModel(
              new CompiledModel(id, features(), new int[0], ReferenceScorer.compile(ensemble)),
              breaker.reserve(1, "test"),
              0);
      LoadedModel compiled =
          new ModelLoader(null, breaker, settings(set), quarantine, new WarmUp())
              .recompile(before, () -> false);
      EnsembleScorer scorer = compiled.model().scorer();
      assertEquals(Algorithm.CPU, scorer.algorithm());
      assertFalse(scorer.engine(), scorer.uses(engine));
      assertFalse(scorer.engine(), scorer.uses(Algorithm.BIT_SLICED));
    }
  }

  private FeatureSet features() throws IOException {
    try (XContentParser parser =
        createParser(JsonXContent.jsonXContent, TestModel.LIGHTGBM.featureSet())) {
      return FeatureSet.read("fs", Door.within(parser));
    }
  }

  /** A store may fail before it has taken the listener. */
  public void testReservationIsGivenBackWhenTheStoreThrows() {
    CountingBreaker counting = new CountingBreaker(() -> false);
    ModelBreaker breaker = new ModelBreaker(counting);
    AtomicReference<Exception> failure = new AtomicReference<>();
    try (NoOpClient client =
            new NoOpClient(getTestName()) {
              @Override
              protected <Q extends ActionRequest, R extends ActionResponse> void doExecute(
                  ActionType<R> action, Q request, ActionListener<R> listener) {
                throw new IllegalStateException("thrown at once");
              }
            };
        ClusterService state = ClusterServiceUtils.createClusterService(client.threadPool())) {
      GuardedClient guarded = new GuardedClient(client);
      ModelStore store = new ModelStore(guarded, new ModelIndex(guarded, state), breaker);
      new ModelLoader(store, breaker, settings(Settings.EMPTY), new Quarantine(), new WarmUp())
          .load(
              new ModelManifest(
                  new ModelId("m", "1"), "key", "", 1, 1, 1, 1, 1, ModelManifest.Checksums.NONE),
              Runnable::run,
              share -> {},
              () -> false,
              ActionListener.wrap(loaded -> fail("there is nothing to load"), failure::set));
    }
    assertEquals("thrown at once", failure.get().getMessage());
    assertTrue(counting.peak() > 0);
    assertEquals(0, counting.getUsed());
  }
}
