// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelFeatures;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.Set;
import java.util.function.Supplier;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.action.ActionListener;

/**
 * Gives searches access to the models of this node. Only {@link #quarantine} may take long; no
 * other method blocks. Listeners may be called on any thread, or by the method itself.
 */
public interface ModelLookup {
  /**
   * Returns the version to which the name of a model or an alias refers in this node's cluster
   * state. The search uses this version until it ends, even if the name refers to another version
   * later.
   *
   * @throws org.opensearch.ResourceNotFoundException (404) if there is no such model or alias
   */
  ModelId pin(String name);

  /** Returns the names of models and aliases in this node's present cluster state. */
  Names names();

  /**
   * Calls the listener when the version is not current in this node's cluster state any more; fails
   * if it still is after one second.
   */
  void whenGone(ModelId id, ActionListener<Void> listener);

  /**
   * Passes the features of a model to the listener. Works on all nodes, whether or not they have
   * loaded the model.
   */
  void features(ModelId id, ActionListener<ModelFeatures> listener);

  /**
   * Passes a stored feature set to the listener. Fails with 404 if there is none with this name.
   */
  void featureSet(String name, ActionListener<FeatureSet> listener);

  /** Returns whether {@link #acquire} would succeed now. */
  boolean isLoaded(ModelId id);

  /**
   * Returns whether {@link #acquire} would return a model with this scorer now. Compares the
   * objects: equal scorers may belong to different engines.
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
   * Returns whether this node keeps statistics of a version: if it is loaded, or is current but not
   * loaded here.
   */
  default boolean isKnown(ModelId id) {
    return isLoaded(id);
  }

  /**
   * Loads a version on this node if needed, and calls the listener when it is loaded or its load
   * has failed.
   */
  void load(ModelId id, ActionListener<Void> listener);

  /**
   * Returns a loaded model for use; the caller must close it at the end of its request. A deleted
   * or replaced model stays usable until its last use is closed.
   *
   * @throws org.opensearch.OpenSearchStatusException (503) if the version is current but not loaded
   *     here, or (409 or 404) if it is not current
   */
  ModelUse acquire(ModelId id);

  /**
   * Returns the engines that this node does not use for a version because they computed wrong
   * scores.
   */
  Set<Algorithm> quarantined(ModelId id);

  /**
   * Stops the use of an engine for a version on this node. Searches that start later use the
   * reference engine, which the calling thread compiles, until another engine is compiled.
   */
  void quarantine(ModelId id, Algorithm engine);

  /** The names of models and aliases at one moment. Immutable. */
  @FunctionalInterface
  interface Names {
    /**
     * Returns the version that a search by this name uses. If an alias points to several models,
     * the search's key selects one.
     *
     * @param key returns the search's key; called only if there are several models, because the key
     *     may be as long as the query
     * @throws org.opensearch.ResourceNotFoundException (404) if there is no such model or alias
     */
    ModelId pin(String name, Supplier<String> key);
  }

  /** A reference to a model that keeps the model loaded until the reference is closed. */
  interface ModelUse extends AutoCloseable {
    CompiledModel model();

    @Override
    void close();
  }
}
