// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.compile.WarmUp;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.FeatureBinding;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelFile;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.store.StoredChunks;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.StepListener;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/** Reads and compiles stored models. Charges the memory of a model before it reads the model. */
record ModelLoader(
    ModelStore store,
    ModelBreaker breaker,
    ModelSettings settings,
    Quarantine quarantine,
    WarmUp warmUp) {
  private static final Logger LOGGER = LogManager.getLogger(ModelLoader.class);

  /**
   * Reads and compiles a stored model. The model's memory is charged first, and released after its
   * last use.
   *
   * @param executor runs the reading and the compilation
   * @param compiled receives the fraction of the model that is compiled, 0 to 1; must be fast
   * @param unwanted returns whether the model is no longer needed; if so, the compilation fails
   *     with a {@link CancellationException}, or the warm-up ends early
   */
  public void load(
      ModelManifest manifest,
      Executor executor,
      DoubleConsumer compiled,
      BooleanSupplier unwanted,
      ActionListener<LoadedModel> listener) {
    executor.execute(
        ActionRunnable.wrap(listener, l -> begin(manifest, executor, compiled, unwanted, l)));
  }

  private void begin(
      ModelManifest manifest,
      Executor executor,
      DoubleConsumer compiled,
      BooleanSupplier unwanted,
      ActionListener<LoadedModel> listener) {
    MemoryCharge memory =
        breaker.reserve(
            ModelFile.loadingBytes(manifest), "<model " + manifest.id() + " being loaded>");
    ActionListener<LoadedModel> closing =
        ActionListener.wrap(
            listener::onResponse,
            failure -> {
              memory.close();
              listener.onFailure(failure);
            });
    StepListener<ModelDescription> described = new StepListener<>();
    StepListener<byte[]> read = new StepListener<>();
    try {
      store.describe(manifest, described);
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
    Guard.then(
        described,
        description -> {
          breaker.resize(memory, memory.bytes() + description.heapBytes());
          store.read(manifest, read);
        },
        closing::onFailure);
    Guard.then(
        read,
        file ->
            executor.execute(
                ActionRunnable.supply(
                    closing,
                    () -> {
                      ModelDescription description = described.result();
                      TreeEnsemble ensemble = ensemble(manifest, description, file);
                      FeatureBinding binding =
                          FeatureBinding.bind(
                              ensemble, description.features(), description.featureMap());
                      long features = description.heapBytes();
                      EnsembleScorer scorer =
                          compile(manifest.id(), ensemble, compiled, unwanted, memory, features);
                      return new LoadedModel(
                          new CompiledModel(
                              manifest.id(), description.features(), binding.columns(), scorer),
                          memory,
                          features);
                    })),
        closing::onFailure);
  }

  private static TreeEnsemble ensemble(
      ModelManifest manifest, ModelDescription description, byte[] stored) {
    try {
      return ModelFile.readStored(stored, manifest, description);
    } catch (IllegalArgumentException e) {
      throw StoredChunks.broken(manifest, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Compiles a model for the engine (scoring algorithm) in the settings. If this engine computed
   * wrong scores or does not support the model, uses another engine. Then charges only the bytes of
   * the compiled model and of its feature set.
   */
  private EnsembleScorer compile(
      ModelId id,
      TreeEnsemble ensemble,
      DoubleConsumer compiled,
      BooleanSupplier unwanted,
      MemoryCharge memory,
      long featureBytes) {
    EnsembleScorer scorer = engine(id, ensemble, CompileProgress.of(compiled, unwanted));
    try {
      breaker.resize(memory, ModelFile.heapBytes(scorer) + featureBytes);
    } catch (CircuitBreakingException e) {
      scorer.close();
      throw e;
    }
    warmUp.run(scorer, Budget.of(settings.get(ModelSettings.WARM_UP).nanos(), unwanted));
    return scorer;
  }

  private EnsembleScorer engine(ModelId id, TreeEnsemble ensemble, CompileProgress progress) {
    Set<Algorithm> wrong = quarantine.of(id);
    Algorithm set = settings.get(ModelSettings.ENGINE);
    try {
      return ScorerCompiler.compile(
          ensemble, wrong.contains(set) ? Algorithm.CPU : set, wrong, progress);
    } catch (UnsupportedEnsembleException e) {
      // A stored model must stay usable; it was accepted when another engine was set.
      LOGGER.warn(
          "model [{}] is compiled for engine [{}] instead of [{}]: {}",
          id,
          Algorithm.CPU,
          set,
          e.getMessage());
      return ScorerCompiler.compile(ensemble, Algorithm.CPU, wrong, progress);
    }
  }

  /**
   * Returns a model that is compiled for the reference engine, the simplest one. If this engine
   * also computed wrong scores, uses an independent engine if there is one. The charge may exceed
   * the circuit breaker's limit: if it were refused, the engine with wrong scores would stay in
   * use.
   */
  LoadedModel withReference(LoadedModel old) {
    CompiledModel model = old.model();
    TreeEnsemble ensemble = model.scorer().ensemble();
    Set<Algorithm> wrong = quarantine.of(model.id());
    Algorithm right = Algorithm.OBJECT;
    if (wrong.contains(right)) {
      Algorithm other = ScorerCompiler.independent(ensemble, right);
      right = other == null || wrong.contains(other) ? right : other;
    }
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, right);
    return new LoadedModel(
        model.with(scorer),
        MemoryCharge.takeAnyway(
            breaker.breaker(),
            ModelFile.heapBytes(scorer) + old.featureBytes(),
            "<model " + model.id() + ">"),
        old.featureBytes());
  }

  /**
   * Compiles a model again, for the engine (scoring algorithm) in the settings.
   *
   * @throws CancellationException if {@code unwanted} returned true before the end
   */
  public LoadedModel recompile(LoadedModel old, BooleanSupplier unwanted) {
    CompiledModel model = old.model();
    MemoryCharge memory =
        breaker.reserve(old.bytes(), "<model " + model.id() + " being recompiled>");
    try {
      EnsembleScorer scorer =
          compile(
              model.id(),
              model.scorer().ensemble(),
              share -> {},
              unwanted,
              memory,
              old.featureBytes());
      return new LoadedModel(model.with(scorer), memory, old.featureBytes());
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
  }
}
