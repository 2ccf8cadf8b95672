// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.engine.columns.CategoryNumbers;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A scorer with its model on a GPU (the device). It divides a call into batches. For each batch, it
 * copies the feature values to the device, runs kernels, and copies the sums back. Long calls use
 * two streams alternately, so that copies and kernels run at the same time.
 *
 * <p>{@link #close()} frees the device memory after the calls in progress. The memory of an
 * unreachable scorer is freed automatically. If the device fails, scoring throws a {@link
 * CudaException}, and {@link OffloadScorer} uses the CPU.
 */
abstract class DeviceScorer implements EnsembleScorer, AutoCloseable {
  /** A batch on the device is padded to a multiple of this number of documents. */
  private static final int STRIDE_UNIT = 32;

  private static final int MAX_DOCUMENTS = 1 << 17;

  /** Maximum page-locked memory for the feature values of one batch, in bytes. */
  private static final long MAX_STAGED_BYTES = 24L << 20;

  /** Maximum number of documents per tile, the part of a batch that a block of threads scores. */
  private static final int LARGEST_TILE = 256;

  private static final Cleaner CLEANER = Cleaner.create();
  private static final Scratch NO_SCRATCH = () -> 0;

  private static final AtomicLong SCORERS = new AtomicLong();

  private final long number = SCORERS.incrementAndGet();
  private final TreeEnsemble ensemble;
  private final ModelMemory memory;
  private final List<SplitColumns.Row> rows;
  private final Cleaner.Cleanable cleanable;

  /**
   * Creates a scorer whose model is already on the device.
   *
   * @param rows the rows of feature values that are copied to the device for each batch
   */
  @SuppressWarnings("this-escape") // the cleaner holds the memory, and observes this object
  DeviceScorer(TreeEnsemble ensemble, ModelMemory memory, List<SplitColumns.Row> rows) {
    this.ensemble = ensemble;
    this.memory = memory;
    this.rows = List.copyOf(rows);
    this.cleanable = CLEANER.register(this, memory::close);
  }

  /**
   * Returns the device memory that a batch needs per document, in bytes, in addition to the feature
   * values and sums.
   */
  abstract long bytesPerDocument();

  /**
   * Queues the kernels that compute the sums of the batch's documents.
   *
   * @param documents number of documents of the batch
   * @param stride the padded number of documents
   */
  abstract void enqueue(DeviceStream stream, int documents, int stride);

  final GpuDevice device() {
    return memory.device();
  }

  @Override
  public final TreeEnsemble ensemble() {
    return ensemble;
  }

  /** Returns the memory of the model on the device, in bytes. */
  @Override
  public final long bytes() {
    return memory.bytes();
  }

  @Override
  public final Scratch newScratch() {
    return NO_SCRATCH;
  }

  @Override
  public final void close() {
    cleanable.clean();
  }

  private int batch() {
    long perDocument = bytesPerDocument() + (long) rows.size() * Float.BYTES + Double.BYTES;
    long staged = MAX_STAGED_BYTES / Math.max(1, (long) rows.size() * Float.BYTES);
    long max = Math.min(Math.min(MAX_DOCUMENTS, staged), device().batchBytes() / perDocument);
    // All multiprocessors are busy until the end if each has as many tiles as the others.
    int wave = LARGEST_TILE * device().shape().multiprocessors();
    int unit = max >= wave ? wave : STRIDE_UNIT;
    return Math.max(STRIDE_UNIT, (int) max / unit * unit);
  }

  @Override
  public final void score(
      FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    checkpoint.pass();
    if (matrix.documents() == 0) {
      return;
    }
    if (!memory.enter()) {
      throw new IllegalStateException("the model was removed from the GPU's memory");
    }
    device().begins();
    try {
      scoreBatches(matrix, scores);
      device().scored();
    } catch (CudaException e) {
      device().notScored();
      device().failed(e);
      throw e;
    } finally {
      device().ends();
      memory.leave();
      Reference.reachabilityFence(this);
    }
  }

  private void scoreBatches(FeatureMatrix matrix, double[] scores) {
    int batch = batch();
    int documents = matrix.documents();
    device().makeCurrent();
    DeviceStream current = device().acquireStream();
    DeviceStream other = null;
    boolean done = false;
    try {
      other = documents > batch ? device().tryAcquireStream() : null;
      int pending = -1;
      for (int from = 0; from < documents; from += batch) {
        enqueueBatch(current, matrix, from, Math.min(batch, documents - from));
        if (other == null) {
          finishBatch(current, from, Math.min(batch, documents - from), scores);
        } else {
          if (pending >= 0) {
            finishBatch(other, pending, batch, scores);
          }
          pending = from;
          DeviceStream finished = other;
          other = current;
          current = finished;
        }
      }
      if (other != null) {
        finishBatch(other, pending, documents - pending, scores);
      }
      done = true;
    } catch (CudaException e) {
      device().failed(e);
      throw e;
    } finally {
      release(current, done);
      if (other != null) {
        release(other, done);
      }
    }
  }

  private void release(DeviceStream stream, boolean done) {
    if (!done) {
      // Copies that still run may read buffers that the next user of the stream overwrites.
      stream.abandon();
    }
    device().release(stream);
  }

  /**
   * The times of the parts of a call.
   *
   * @param copyIn time to copy feature values to the device, in ms
   * @param kernels time of the kernels, in ms
   * @param copyOut time to copy the sums back, in ms
   */
  record Timing(double copyIn, double kernels, double copyOut) {}

  /** Scores all documents, batch by batch. Returns the times, summed over all batches. */
  final Timing scoreTimed(FeatureMatrix matrix, double[] scores) {
    checkArguments(matrix, scores);
    CudaDriver driver = device().driver();
    device().makeCurrent();
    DeviceStream stream = device().acquireStream();
    CudaDriver.Event[] events = new CudaDriver.Event[4];
    Arrays.setAll(events, i -> driver.createEvent());
    double[] times = new double[events.length - 1];
    boolean done = false;
    try {
      int batch = batch();
      for (int from = 0; from < matrix.documents(); from += batch) {
        int count = Math.min(batch, matrix.documents() - from);
        int stride = stride(count);
        stage(stream, matrix, from, count, stride);
        driver.record(events[0], stream.handle());
        copyIn(stream, stride);
        driver.record(events[1], stream.handle());
        enqueue(stream, count, stride);
        driver.record(events[2], stream.handle());
        copyOut(stream, count);
        driver.record(events[3], stream.handle());
        finishBatch(stream, from, count, scores);
        for (int i = 0; i < times.length; i++) {
          times[i] += driver.milliseconds(events[i], events[i + 1]);
        }
      }
      done = true;
    } finally {
      release(stream, done);
      for (CudaDriver.Event event : events) {
        driver.destroy(event);
      }
    }
    return new Timing(times[0], times[1], times[2]);
  }

  private static int stride(int count) {
    return (count + STRIDE_UNIT - 1) / STRIDE_UNIT * STRIDE_UNIT;
  }

  private void enqueueBatch(DeviceStream stream, FeatureMatrix matrix, int from, int count) {
    int stride = stride(count);
    stage(stream, matrix, from, count, stride);
    // In small batches, the padding is scored too, because the graph depends on the padded size.
    int scored = stride <= CapturedBatches.MAX_DOCUMENTS ? stride : count;
    stream.captured.enqueue(
        number,
        stride,
        () -> {
          copyIn(stream, stride);
          enqueue(stream, scored, stride);
          copyOut(stream, scored);
        });
  }

  private long valueBytes(int stride) {
    return (long) rows.size() * stride * Float.BYTES;
  }

  /**
   * Copies the feature values of a batch from a matrix to the page-locked buffer of a stream.
   *
   * @param from the first document of the batch
   * @param count number of documents of the batch
   * @param stride the padded number of documents
   */
  private void stage(DeviceStream stream, FeatureMatrix matrix, int from, int count, int stride) {
    ByteBuffer staged = stream.hostValues.reserve(valueBytes(stride)).bytes();
    FloatBuffer to = staged.duplicate().order(ByteOrder.nativeOrder()).asFloatBuffer();
    float[] values = matrix.values();
    for (int row = 0; row < rows.size(); row++) {
      CategoryNumbers numbers = rows.get(row).numbers();
      int column = matrix.column(rows.get(row).feature()) + from;
      if (numbers.isIdentity()) {
        to.put(row * stride, values, column, count);
      } else {
        for (int document = 0; document < count; document++) {
          to.put(row * stride + document, numbers.of(values[column + document]));
        }
      }
    }
  }

  private void copyIn(DeviceStream stream, int stride) {
    long bytes = valueBytes(stride);
    if (bytes > 0) {
      device()
          .driver()
          .copyAsync(
              stream.hostValues.reserve(bytes),
              stream.values.reserve(bytes),
              bytes,
              stream.handle());
    }
  }

  private void copyOut(DeviceStream stream, int count) {
    long sums = (long) count * Double.BYTES;
    device()
        .driver()
        .copyAsync(stream.sums.reserve(sums), stream.hostSums.reserve(sums), sums, stream.handle());
  }

  private void finishBatch(DeviceStream stream, int from, int count, double[] scores) {
    stream.synchronize();
    long sums = (long) count * Double.BYTES;
    DoubleBuffer result =
        stream
            .hostSums
            .reserve(sums)
            .bytes()
            .duplicate()
            .order(ByteOrder.nativeOrder())
            .asDoubleBuffer();
    for (int d = 0; d < count; d++) {
      scores[from + d] = ensemble.rawScore(result.get(d));
    }
  }
}
