// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.Set;
import java.util.function.Supplier;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.action.ActionListener;

/**
 * Gives searches access to the models of this node. No method blocks; only {@link #quarantine} may
 * take long. Listeners may be called on any thread, even before the method returns.
 */
public interface ModelLookup {
  /**
   * Returns the version to which the name of a model or alias now refers on this node. A search
   * uses this version until it ends, even if the name refers to another version later.
   *
   * @throws org.opensearch.ResourceNotFoundException (404) if there is no such model or alias
   */
  ModelId pin(String name);

  /** Returns the names of models and aliases in this node's current cluster state. */
  Names names();

  /**
   * Calls the listener as soon as a version is no longer current on this node. Fails if the version
   * is still current after one second.
   */
  void whenGone(ModelId id, ActionListener<Void> listener);

  /** Passes a model's features to the listener, whether or not this node has loaded the model. */
  void features(ModelId id, ActionListener<ModelFeatures> listener);

  /** Passes a stored feature set to the listener; fails with 404 if there is none of this name. */
  void featureSet(String name, ActionListener<FeatureSet> listener);

  /** Returns whether the node has loaded a version, so that {@link #acquire} would succeed. */
  boolean isLoaded(ModelId id);

  /**
   * Returns whether this node scores a version with this scorer (the compiled trees). Returns false
   * if the version is not loaded, or was compiled again.
   */
  @SuppressWarnings(
      "ReferenceEquality") // compares the objects, because an equal scorer may be another engine
  default boolean isScoredBy(ModelId id, EnsembleScorer scorer) {
    try (ModelUse use = acquire(id)) {
      return use.model().scorer() == scorer;
    } catch (OpenSearchStatusException e) {
      return false;
    }
  }

  /**
   * Returns whether this node keeps statistics of a version: it is loaded on this node, or current.
   */
  default boolean isKnown(ModelId id) {
    return isLoaded(id);
  }

  /** Loads a version if needed, and calls the listener when it is loaded or has failed. */
  void load(ModelId id, ActionListener<Void> listener);

  /**
   * Returns a loaded model, which stays in memory until the returned object is closed. A deleted or
   * replaced model stays usable until its last use is closed.
   *
   * @throws org.opensearch.OpenSearchStatusException (503) if the version is current but not loaded
   *     on this node; (409 or 404) if it is not current
   */
  ModelUse acquire(ModelId id);

  /**
   * Returns the engines (scoring algorithms) that this node does not use for a version, because
   * they computed wrong scores.
   */
  Set<Algorithm> quarantined(ModelId id);

  /**
   * Stops the use of an engine (scoring algorithm) for a version on this node, because it computed
   * wrong scores. The calling thread compiles the reference engine, the simplest one. Searches use
   * it until another engine is compiled.
   */
  void quarantine(ModelId id, Algorithm engine);

  /** An immutable copy of the names of models and aliases, and of the versions they point to. */
  @FunctionalInterface
  interface Names {
    /**
     * Returns the version that a search by this name uses.
     *
     * @param key returns the text that selects one of an alias's models; called only if the alias
     *     has several, because the text may be as long as the query
     * @throws org.opensearch.ResourceNotFoundException (404) if there is no such model or alias
     */
    ModelId pin(String name, Supplier<String> key);
  }

  /**
   * A reference to a model, which stays in memory until the reference is closed.
   *
   * @param release releases the model; called by each call of {@link #close}
   */
  record ModelUse(CompiledModel model, Releasable release) implements Releasable {
    @Override
    public void close() {
      release.close();
    }
  }

  /**
   * A compiled model, ready to score. Immutable.
   *
   * @param features the model's own copy of the whole feature set
   * @param columns for each of the model's features, in the model's order, its index in {@link
   *     #features}; -1 if the set lacks it and the model does not use it
   * @param scorer the compiled trees, which score a matrix with one column per feature of the model
   */
  record CompiledModel(ModelId id, FeatureSet features, int[] columns, EnsembleScorer scorer) {
    CompiledModel with(EnsembleScorer other) {
      return new CompiledModel(id, features, columns, other);
    }

    public OutputTransform transform() {
      return scorer.ensemble().transform();
    }
  }

  /**
   * A model's features, for the node that coordinates a search.
   *
   * @param features the model's own copy of the whole feature set
   * @param used the names of the features that the model uses; a search computes only these
   */
  record ModelFeatures(FeatureSet features, Set<String> used) {
    public ModelFeatures {
      used = Set.copyOf(used);
    }
  }
}
