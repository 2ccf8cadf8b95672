// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.model.node.ModelLookup.ModelFeatures;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;

/** Compiled models of which one can be dropped, and what was found wrong with them. */
final class TestModels implements ModelLookup {
  private final FeatureSet features;
  private final Map<ModelId, CompiledModel> models = new ConcurrentHashMap<>();
  private final Map<ModelId, Set<Algorithm>> quarantined = new ConcurrentHashMap<>();
  final AtomicInteger uses = new AtomicInteger();

  TestModels(FeatureSet features) {
    this.features = features;
  }

  ModelId add(String name, EnsembleScorer scorer) {
    ModelId id = new ModelId(name, "v");
    models.put(id, new CompiledModel(id, features, new int[0], scorer));
    return id;
  }

  void drop(ModelId id) {
    models.remove(id);
  }

  @Override
  public void whenGone(ModelId id, ActionListener<Void> listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isLoaded(ModelId id) {
    return models.containsKey(id);
  }

  @Override
  public ModelUse acquire(ModelId id) {
    CompiledModel model = models.get(id);
    if (model == null) {
      throw new OpenSearchStatusException("not loaded", RestStatus.SERVICE_UNAVAILABLE);
    }
    uses.incrementAndGet();
    return new ModelUse(model, uses::decrementAndGet);
  }

  @Override
  public Set<Algorithm> quarantined(ModelId id) {
    return quarantined.getOrDefault(id, Set.of());
  }

  @Override
  public void quarantine(ModelId id, Algorithm engine) {
    quarantined.computeIfAbsent(id, m -> new HashSet<>()).add(engine);
  }

  @Override
  public Names names() {
    throw new UnsupportedOperationException("of searches only");
  }

  @Override
  public ModelId pin(String name) {
    throw new UnsupportedOperationException("of searches only");
  }

  @Override
  public void features(ModelId id, ActionListener<ModelFeatures> listener) {
    throw new UnsupportedOperationException("of searches only");
  }

  @Override
  public void featureSet(String name, ActionListener<FeatureSet> listener) {
    throw new UnsupportedOperationException("of searches only");
  }

  @Override
  public void load(ModelId id, ActionListener<Void> listener) {
    throw new UnsupportedOperationException("of searches only");
  }

  /** A breaker that trips at so many bytes. */
  static CircuitBreaker breaker(long limit) {
    return new HierarchyCircuitBreakerService(
            Settings.EMPTY,
            List.of(new BreakerSettings("models", limit, 1.0)),
            new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
        .getBreaker("models");
  }
}
