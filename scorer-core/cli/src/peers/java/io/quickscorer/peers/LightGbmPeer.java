// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.peers;

import static com.microsoft.ml.lightgbm.lightgbmlib.C_API_DTYPE_FLOAT32;
import static com.microsoft.ml.lightgbm.lightgbmlib.C_API_PREDICT_RAW_SCORE;

import com.microsoft.ml.lightgbm.SWIGTYPE_p_double;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_float;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_int;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_long_long;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_p_void;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_void;
import com.microsoft.ml.lightgbm.lightgbmlib;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.quickscorer.bench.Batches;
import io.quickscorer.bench.Contender;
import io.quickscorer.bench.Peer;
import io.quickscorer.cli.natives.UnpackedLibrary;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

/**
 * LightGBM's own predictor, from row-major floats in native memory: the C API, because the Java
 * interface above it copies every value by a call of its own.
 */
public final class LightGbmPeer implements Peer {
  @Override
  public String name() {
    return "lightgbm";
  }

  @Override
  public String libraryClass() {
    return "io.github.metarank.lightgbm4j.LGBMBooster";
  }

  @Override
  public Contender load(byte[] model, Batches batches) {
    if (!batches.ensemble().source().format().equals(ModelFormats.LIGHTGBM_TEXT)) {
      throw new UnsupportedEnsembleException("lightgbm: takes its own text files only");
    }
    try {
      UnpackedLibrary.load(LGBMBooster::loadNative);
      return new Booster(text(model), batches);
    } catch (IOException e) {
      throw new IllegalStateException("lightgbm: " + e.getMessage(), e);
    }
  }

  private static String text(byte[] model) throws IOException {
    boolean gzipped = model.length > 2 && model[0] == 0x1f && (model[1] & 0xff) == 0x8b;
    InputStream in = new ByteArrayInputStream(model);
    try (InputStream plain = gzipped ? new GZIPInputStream(in) : in) {
      return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static final class Booster implements Contender {
    private final SWIGTYPE_p_void handle;
    private final SWIGTYPE_p_float[] values;
    private final SWIGTYPE_p_void[] rows;
    private final SWIGTYPE_p_double out;
    private final SWIGTYPE_p_long_long outLength = lightgbmlib.new_int64_tp();
    private final int documents;
    private final int features;
    private final double[] scores;

    Booster(String model, Batches batches) {
      SWIGTYPE_p_p_void pointer = lightgbmlib.new_voidpp();
      SWIGTYPE_p_int iterations = lightgbmlib.new_intp();
      check(lightgbmlib.LGBM_BoosterLoadModelFromString(model, iterations, pointer));
      handle = lightgbmlib.voidpp_value(pointer);
      lightgbmlib.delete_voidpp(pointer);
      lightgbmlib.delete_intp(iterations);
      documents = batches.documents();
      features = batches.features();
      values = new SWIGTYPE_p_float[batches.count()];
      rows = new SWIGTYPE_p_void[batches.count()];
      for (int b = 0; b < values.length; b++) {
        float[] batch = batches.rows(b);
        values[b] = lightgbmlib.new_floatArray(batch.length);
        for (int i = 0; i < batch.length; i++) {
          lightgbmlib.floatArray_setitem(values[b], i, batch[i]);
        }
        rows[b] = lightgbmlib.float_to_voidp_ptr(values[b]);
      }
      out = lightgbmlib.new_doubleArray(documents);
      scores = new double[documents];
    }

    @Override
    public Label label() {
      return Label.ofPeer("lightgbm");
    }

    @Override
    public double[] score(int batch) {
      check(
          lightgbmlib.LGBM_BoosterPredictForMat(
              handle,
              rows[batch],
              C_API_DTYPE_FLOAT32,
              documents,
              features,
              1,
              C_API_PREDICT_RAW_SCORE,
              0,
              -1,
              "num_threads=1",
              outLength,
              out));
      for (int d = 0; d < scores.length; d++) {
        scores[d] = lightgbmlib.doubleArray_getitem(out, d);
      }
      return scores;
    }

    @Override
    public void close() {
      lightgbmlib.LGBM_BoosterFree(handle);
      lightgbmlib.delete_doubleArray(out);
      lightgbmlib.delete_int64_tp(outLength);
      for (SWIGTYPE_p_float batch : values) {
        lightgbmlib.delete_floatArray(batch);
      }
    }

    private static void check(int result) {
      if (result != 0) {
        throw new IllegalStateException("lightgbm: " + lightgbmlib.LGBM_GetLastError());
      }
    }
  }
}
