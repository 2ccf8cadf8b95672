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
 * The view of this node's models that searches use. No method but {@link #quarantine} blocks;
 * listeners are called on a thread of any kind, at once where the answer is at hand.
 */
public interface ModelLookup {
  /**
   * Pins a name, a model's or an alias's, to the version that is current in this node's view of the
   * cluster.
   *
   * @throws org.opensearch.ResourceNotFoundException (404) if there is no such model or alias
   */
  ModelId pin(String name);

  /** Returns the names as this node's cluster state has them now. */
  Names names();

  /**
   * Answers once this node's cluster state does not name the version any more; fails if it still
   * does after one second.
   */
  void whenGone(ModelId id, ActionListener<Void> listener);

  /** Looks up a model's features, on any node, whether or not the model is compiled here. */
  void features(ModelId id, ActionListener<ModelFeatures> listener);

  /** Looks up a stored feature set by name; fails with 404 if there is none. */
  void featureSet(String name, ActionListener<FeatureSet> listener);

  /** Returns whether {@link #acquire} would succeed now. */
  boolean isLoaded(ModelId id);

  /** Returns whether {@link #acquire} would return a model with this scorer now. */
  @SuppressWarnings("ReferenceEquality") // another one of the same model is another
  default boolean isScoredBy(ModelId id, EnsembleScorer scorer) {
    try (ModelUse use = acquire(id)) {
      return use.model().scorer() == scorer;
    } catch (OpenSearchStatusException e) {
      return false;
    }
  }

  /** Returns whether the counts of a version are kept: it may be current without being loaded. */
  default boolean isKnown(ModelId id) {
    return isLoaded(id);
  }

  /** Answers once the model is compiled on this node, or fails with why it can't be. */
  void load(ModelId id, ActionListener<Void> listener);

  /**
   * Takes a use of a compiled model; the caller closes it when its request is over. A model that
   * was deleted or replaced stays usable until its last use is closed.
   *
   * @throws org.opensearch.OpenSearchStatusException (503) if the version is not loaded here, or
   *     (409, 404) if it is not current either
   */
  ModelUse acquire(ModelId id);

  /**
   * Returns the engines that are not used for a version on this node, because they scored it wrong.
   */
  Set<Algorithm> quarantined(ModelId id);

  /**
   * Stops the use of an engine for a version on this node. The next search that begins is scored by
   * another engine, at first the reference, which is compiled on the calling thread.
   */
  void quarantine(ModelId id, Algorithm engine);

  /** The names of models and aliases at one moment. Immutable. */
  @FunctionalInterface
  interface Names {
    /**
     * Pins a name for a search. If an alias points to several models, the search's key selects one.
     *
     * @param key called only if there are several models, because it may be as long as the query
     * @throws org.opensearch.ResourceNotFoundException (404) if there is no such model or alias
     */
    ModelId pin(String name, Supplier<String> key);
  }

  /** One counted use of a model. */
  interface ModelUse extends AutoCloseable {
    CompiledModel model();

    @Override
    void close();
  }
}
