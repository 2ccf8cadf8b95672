// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.peers;

import io.quickscorer.bench.Batches;
import io.quickscorer.bench.Contender;
import io.quickscorer.bench.Peer;
import java.io.IOException;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** XGBoost's in-place prediction on one thread, from row-major floats. It sums in float. */
public final class XGBoostPeer implements Peer {
  @Override
  public String name() {
    return "xgboost";
  }

  @Override
  public String libraryClass() {
    return "ml.dmlc.xgboost4j.java.Booster";
  }

  @Override
  public Contender load(byte[] model, Batches batches) {
    try {
      return new InPlace(batches);
    } catch (XGBoostError | IOException e) {
      throw new IllegalStateException("xgboost: " + e.getMessage(), e);
    }
  }

  private static final class InPlace implements Contender {
    private final Booster booster;
    private final Batches batches;
    private final double[] scores;
    private final double tolerance;

    InPlace(Batches batches) throws XGBoostError, IOException {
      this.batches = batches;
      booster = XGBoost.loadModel(XGBoostModel.write(batches.ensemble()));
      booster.setParam("nthread", 1);
      scores = new double[batches.documents()];
      tolerance = Conversion.tolerance(batches.ensemble());
    }

    @Override
    public Label label() {
      return Label.ofPeer("xgboost");
    }

    @Override
    public double tolerance() {
      return tolerance;
    }

    @Override
    public double[] score(int batch) {
      try {
        float[][] predicted =
            booster.inplace_predict(
                batches.rows(batch), batches.documents(), batches.features(), Float.NaN);
        for (int d = 0; d < scores.length; d++) {
          scores[d] = predicted[d][0];
        }
        return scores;
      } catch (XGBoostError e) {
        throw new IllegalStateException("xgboost: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      booster.dispose();
    }
  }
}
