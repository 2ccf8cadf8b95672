// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.peers;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.quickscorer.bench.Batches;
import io.quickscorer.bench.Contender;
import io.quickscorer.bench.Peer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Map;

/**
 * ONNX Runtime's {@code TreeEnsembleRegressor} on one thread, from row-major floats in direct
 * buffers to a direct buffer, which it takes without copying. It sums in float.
 */
public final class OnnxRuntimePeer implements Peer {
  @Override
  public String name() {
    return "onnxruntime";
  }

  @Override
  public String libraryClass() {
    return "ai.onnxruntime.OrtEnvironment";
  }

  @Override
  public Contender load(byte[] model, Batches batches) {
    try {
      return new Session(batches);
    } catch (OrtException e) {
      throw new IllegalStateException("onnxruntime: " + e.getMessage(), e);
    }
  }

  private static final class Session implements Contender {
    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;
    private final FloatBuffer[] rows;
    private final long[] shape;
    private final FloatBuffer out;
    private final OnnxTensor outTensor;
    private final double[] scores;
    private final double tolerance;

    Session(Batches batches) throws OrtException {
      try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
        options.setIntraOpNumThreads(1);
        options.setInterOpNumThreads(1);
        byte[] model = OnnxModel.write(batches.ensemble(), batches.anyMissing());
        session = environment.createSession(model, options);
      }
      shape = new long[] {batches.documents(), batches.features()};
      rows = new FloatBuffer[batches.count()];
      for (int b = 0; b < rows.length; b++) {
        rows[b] = direct(batches.rows(b).length).put(batches.rows(b)).rewind();
      }
      out = direct(batches.documents());
      outTensor = OnnxTensor.createTensor(environment, out, new long[] {batches.documents(), 1});
      scores = new double[batches.documents()];
      tolerance = Conversion.tolerance(batches.ensemble());
    }

    private static FloatBuffer direct(int floats) {
      return ByteBuffer.allocateDirect(floats * Float.BYTES)
          .order(ByteOrder.nativeOrder())
          .asFloatBuffer();
    }

    @Override
    public Label label() {
      return Label.ofPeer("onnxruntime");
    }

    @Override
    public double tolerance() {
      return tolerance;
    }

    @Override
    public double[] score(int batch) {
      try (OnnxTensor tensor = OnnxTensor.createTensor(environment, rows[batch], shape)) {
        session.run(Map.of(OnnxModel.INPUT, tensor), Map.of(OnnxModel.OUTPUT, outTensor)).close();
      } catch (OrtException e) {
        throw new IllegalStateException("onnxruntime: " + e.getMessage(), e);
      }
      for (int d = 0; d < scores.length; d++) {
        scores[d] = out.get(d);
      }
      return scores;
    }

    @Override
    public void close() {
      try {
        outTensor.close();
        session.close();
      } catch (OrtException e) {
        throw new IllegalStateException("onnxruntime: " + e.getMessage(), e);
      }
    }
  }
}
