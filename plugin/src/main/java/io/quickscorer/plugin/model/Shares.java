// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.common.hash.MurmurHash3;

/**
 * The models to which an alias points, and the share of the searches that each of them gets.
 * Immutable.
 *
 * @param models the share of each model, by the model's name: a weight from 1 to {@link
 *     #MAX_SHARE}; a model gets its weight divided by the sum of all weights
 */
public record Shares(Map<String, Integer> models) implements WireRecord {
  /** Maximum number of models to which one alias points. */
  public static final int MAX_MODELS = 8;

  /** Maximum share (weight) of one model. */
  public static final int MAX_SHARE = 1_000_000;

  private static final double FRACTIONS = 0x1p53;

  /**
   * Creates shares.
   *
   * @throws IllegalArgumentException (400) if the number of models or a share is out of range
   */
  public Shares {
    if (models.isEmpty() || models.size() > MAX_MODELS) {
      throw new IllegalArgumentException(
          "[models]: expected 1 to " + MAX_MODELS + " models, not " + models.size());
    }
    models.forEach(
        (model, share) -> {
          if (Integer.compareUnsigned(share - 1, MAX_SHARE) >= 0) {
            throw new IllegalArgumentException(
                "[models] "
                    + FeatureBinding.shown(model)
                    + ": expected a share of 1 to "
                    + MAX_SHARE
                    + ", not "
                    + share);
          }
        });
    models =
        models.size() == 1
            ? Map.of(models.keySet().iterator().next(), 1)
            : Collections.unmodifiableMap(new TreeMap<>(models));
  }

  /** Reads shares from a JSON object {@code {"model": share, …}}. */
  static Shares read(Input in) throws IOException {
    Map<String, Integer> models = new TreeMap<>();
    in.object(MAX_MODELS, model -> models.put(model, (int) in.whole(1, MAX_SHARE)));
    return new Shares(models);
  }

  /** Returns the shares of an alias with a single model, which gets all searches. */
  public static Shares all(String model) {
    return new Shares(Map.of(model, 1));
  }

  public boolean isShared() {
    return models.size() > 1;
  }

  /**
   * Returns the name of the model with the largest share. If several models have it, returns the
   * first of their names in alphabetical order.
   */
  public String main() {
    return Collections.max(
            models.entrySet(),
            Map.Entry.<String, Integer>comparingByValue()
                .thenComparing(Map.Entry.<String, Integer>comparingByKey().reversed()))
        .getKey();
  }

  /**
   * Selects the model for a search. Searches with equal keys get one model as long as the shares do
   * not change. If the shares change, as few keys as possible get a different model. The method is
   * weighted rendezvous hashing (Christian Schindelhauer and Gunnar Schomaker, "Weighted
   * Distributed Hash Tables", SPAA 2005).
   *
   * @param alias the alias's name; the same key can select different models in different aliases
   * @param key the text that identifies the search or its user
   */
  public String draw(String alias, String key) {
    String drawn = "";
    double best = Double.NEGATIVE_INFINITY;
    for (Map.Entry<String, Integer> model : models.entrySet()) {
      double uniform = fraction(alias + '\0' + model.getKey() + '\0' + key);
      // StrictMath: every node needs the same result, and Math.log may differ in the last bit.
      double weighted = model.getValue() / -StrictMath.log(uniform);
      if (weighted > best) {
        best = weighted;
        drawn = model.getKey();
      }
    }
    return drawn;
  }

  /** Returns a number between 0 and 1 (exclusive) that is computed from a hash of a text. */
  private static double fraction(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    long hash = MurmurHash3.hash128(bytes, 0, bytes.length, 0, new MurmurHash3.Hash128()).h1;
    return ((hash >>> 11) + 0.5) / FRACTIONS;
  }
}
