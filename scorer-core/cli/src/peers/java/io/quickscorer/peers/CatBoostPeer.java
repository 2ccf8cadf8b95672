// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.peers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ai.catboost.CatBoostError;
import ai.catboost.CatBoostModel;
import ai.catboost.CatBoostPredictions;
import io.quickscorer.bench.Batches;
import io.quickscorer.bench.Contender;
import io.quickscorer.bench.Peer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.Arrays;

/** CatBoost's own evaluator, from an array per row. It uses one thread. */
public final class CatBoostPeer implements Peer {
  @Override
  public String name() {
    return "catboost";
  }

  @Override
  public String libraryClass() {
    return "ai.catboost.CatBoostModel";
  }

  @Override
  public Contender load(byte[] model, Batches batches) {
    if (!new String(model, 0, Math.min(4, model.length), US_ASCII).equals("CBM1")) {
      throw new UnsupportedEnsembleException("catboost: takes its own binary files only");
    }
    try {
      return new Evaluator(CatBoostModel.loadModel(model), batches);
    } catch (CatBoostError e) {
      throw new IllegalStateException("catboost: " + e.getMessage(), e);
    }
  }

  private static final class Evaluator implements Contender {
    private static final String[][] NO_CATEGORIES = null;

    private final CatBoostModel model;
    private final float[][][] rows;
    private final CatBoostPredictions predictions;
    private final double[] scores;

    Evaluator(CatBoostModel model, Batches batches) throws CatBoostError {
      this.model = model;
      int features = batches.features();
      rows = new float[batches.count()][batches.documents()][];
      for (int b = 0; b < rows.length; b++) {
        for (int d = 0; d < batches.documents(); d++) {
          rows[b][d] = Arrays.copyOfRange(batches.rows(b), d * features, (d + 1) * features);
        }
      }
      scores = new double[batches.documents()];
      predictions = model.predict(rows[0], NO_CATEGORIES);
    }

    @Override
    public Label label() {
      return Label.ofPeer("catboost");
    }

    @Override
    public double[] score(int batch) {
      try {
        model.predict(rows[batch], NO_CATEGORIES, predictions);
        for (int d = 0; d < scores.length; d++) {
          scores[d] = predictions.get(d, 0);
        }
        return scores;
      } catch (CatBoostError e) {
        throw new IllegalStateException("catboost: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      try {
        model.close();
      } catch (CatBoostError e) {
        throw new IllegalStateException("catboost: " + e.getMessage(), e);
      }
    }
  }
}
