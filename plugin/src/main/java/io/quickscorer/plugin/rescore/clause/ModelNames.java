// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of the models in a clause. A name may be an alias, which points to one or more models.
 *
 * @param models the models whose scores the response shows; the first one ranks the hits
 * @param shadows further models that score the hits; the response shows their scores only if
 *     features are logged
 * @param seed the random seed for mixing (interleaving) the rankings of two models; null if they
 *     are not mixed
 * @param shareKey a text whose hash selects one of an alias's models; null to use the search's
 *     preference, or the text of its query if it has no preference
 * @param experiment the name under which statistics compare the models; "" for none
 */
public record ModelNames(
    List<String> models,
    List<String> shadows,
    @Nullable Long seed,
    @Nullable String shareKey,
    String experiment)
    implements WireRecord {
  /**
   * Maximum number of models in a clause, including shadow models, which only score in the
   * background.
   */
  static final int MAX_MODELS = 8;

  public ModelNames {
    models = List.copyOf(models);
    shadows = List.copyOf(shadows);
    int all = models.size() + shadows.size();
    if (all > MAX_MODELS) {
      throw new IllegalArgumentException(
          "[models] and [shadow_models] name "
              + all
              + " models, at most "
              + MAX_MODELS
              + " allowed");
    }
    if (models.isEmpty() && !shadows.isEmpty()) {
      throw new IllegalArgumentException("[shadow_models] needs a [model] that ranks the hits");
    }
    List<String> names = new ArrayList<>(models);
    names.addAll(shadows);
    if (new HashSet<>(names).size() < all) {
      throw new IllegalArgumentException(
          "[models], [shadow_models]: a model is named twice, expected each model once");
    }
    if (seed != null && models.size() != 2) {
      throw new IllegalArgumentException("[interleave] needs two [models], not " + models.size());
    }
  }

  public ModelNames(List<String> models, List<String> shadows, @Nullable Long seed) {
    this(models, shadows, seed, null, "");
  }

  public static ModelNames of(String model) {
    return new ModelNames(List.of(model), List.of(), null);
  }

  /** Returns the names of the models, then those of the shadow models, which do not rank hits. */
  public List<String> all() {
    List<String> all = new ArrayList<>(models);
    all.addAll(shadows);
    return all;
  }

  /** Returns whether there are several models, so that the response shows each hit's scores. */
  public boolean showScores() {
    return models.size() > 1;
  }

  /** Returns a copy with another share key, the text that selects one of an alias's models. */
  public ModelNames sharedBy(String key) {
    return new ModelNames(models, shadows, seed, key, experiment);
  }

  /** Returns a copy with another random seed for mixing (interleaving) two rankings. */
  public ModelNames drawnBy(long otherSeed) {
    return new ModelNames(models, shadows, otherSeed, shareKey, experiment);
  }

  /**
   * Returns a copy for one of two searches whose rankings are mixed (interleaved). In this search,
   * both models score the hits, and one of them ranks the hits.
   *
   * @param model the index of the model that ranks, 0 or 1
   */
  public ModelNames rankedBy(int model) {
    return new ModelNames(
        List.of(models.get(model), models.get(1 - model)), shadows, null, shareKey, experiment);
  }
}
