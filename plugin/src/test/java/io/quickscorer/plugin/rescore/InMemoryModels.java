// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.model.node.ModelLookup.ModelFeatures;
import io.quickscorer.scorer.Algorithm;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;

/** Models of a test: put into one map for all nodes of the JVM, to be loaded on each node. */
final class InMemoryModels implements ModelLookup {
  static final Map<String, CompiledModel> MODELS = new ConcurrentHashMap<>();
  static final Map<String, FeatureSet> FEATURE_SETS = new ConcurrentHashMap<>();

  /** What verification found; searches are scored by the same engine all the same. */
  static final Map<ModelId, Set<Algorithm>> QUARANTINED = new ConcurrentHashMap<>();

  /** Runs after each look at the names. */
  static volatile Runnable afterNames = () -> {};

  /** Uses not yet closed, on all nodes. */
  static final AtomicInteger USES = new AtomicInteger();

  private final Supplier<Executor> executor;
  private final Set<ModelId> loaded = ConcurrentHashMap.newKeySet();

  InMemoryModels(Supplier<Executor> executor) {
    this.executor = executor;
  }

  @Override
  public void whenGone(ModelId id, ActionListener<Void> listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Names names() {
    Map<String, CompiledModel> models = Map.copyOf(MODELS);
    afterNames.run();
    return (name, key) -> id(name, models);
  }

  @Override
  public ModelId pin(String name) {
    return id(name, MODELS);
  }

  private static ModelId id(String name, Map<String, CompiledModel> models) {
    CompiledModel model = models.get(name);
    if (model == null) {
      throw new ResourceNotFoundException("model [" + name + "] not found");
    }
    return model.id();
  }

  @Override
  public void features(ModelId id, ActionListener<ModelFeatures> listener) {
    CompiledModel model = MODELS.get(id.name());
    Set<String> used = new HashSet<>();
    for (int feature : usedFeatures(model.scorer().ensemble())) {
      used.add(model.features().features().get(model.columns()[feature]).name());
    }
    executor.get().execute(() -> listener.onResponse(new ModelFeatures(model.features(), used)));
  }

  private static Set<Integer> usedFeatures(TreeEnsemble ensemble) {
    Set<Integer> used = new HashSet<>();
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        used.add(tree.feature(split));
      }
    }
    return used;
  }

  @Override
  public void featureSet(String name, ActionListener<FeatureSet> listener) {
    FeatureSet set = FEATURE_SETS.get(name);
    if (set == null) {
      listener.onFailure(new ResourceNotFoundException("feature set [" + name + "] not found"));
    } else {
      listener.onResponse(set);
    }
  }

  @Override
  public boolean isLoaded(ModelId id) {
    return loaded.contains(id);
  }

  @Override
  public void load(ModelId id, ActionListener<Void> listener) {
    executor
        .get()
        .execute(
            () -> {
              loaded.add(id);
              listener.onResponse(null);
            });
  }

  @Override
  public Set<Algorithm> quarantined(ModelId id) {
    return QUARANTINED.getOrDefault(id, Set.of());
  }

  @Override
  public void quarantine(ModelId id, Algorithm engine) {
    QUARANTINED.put(id, Set.of(engine));
  }

  @Override
  public ModelUse acquire(ModelId id) {
    // A sample that waits for verification may outlive its model.
    CompiledModel model = MODELS.get(id.name());
    if (model == null || !loaded.contains(id)) {
      throw new OpenSearchStatusException("not loaded", RestStatus.SERVICE_UNAVAILABLE);
    }
    USES.incrementAndGet();
    return new ModelUse(model, USES::decrementAndGet);
  }
}
