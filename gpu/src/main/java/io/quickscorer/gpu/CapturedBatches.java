// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a stream's small batches as CUDA graphs: the copies and kernels of a batch are recorded
 * once, and then launched by one call. Without a graph, the host needs five calls, which take
 * longer than a small batch takes on the device.
 *
 * <p>A graph contains the addresses of the stream's buffers, so all graphs are dropped when a
 * buffer is reallocated. It also contains the batch's padded size, so all batches with this padded
 * size share it. The first batch of a size is launched without a graph, for two reasons: it may
 * enlarge the buffers, which is not allowed while a graph is recorded, and a size that occurs only
 * once needs no graph. Used by one thread at a time.
 */
final class CapturedBatches {
  /**
   * Maximum batch size for graphs, in documents. For larger batches, the kernels take longer than
   * the launches, so a graph saves no time.
   */
  static final int MAX_DOCUMENTS = 1024;

  private static final Logger LOG = System.getLogger(CapturedBatches.class.getName());
  private static final int MAX_GRAPHS = 64;

  private record Key(long scorer, int stride) {}

  private final DeviceStream stream;
  private final GpuDevice device;

  /**
   * The graph for each scorer and batch size; null if only one batch of the size has run, which
   * needs no graph. The least recently used entry comes first.
   */
  private final Map<Key, CudaDriver.@Nullable Graph> graphs = new LinkedHashMap<>(16, 0.75f, true);

  private long moves;

  CapturedBatches(DeviceStream stream, GpuDevice device) {
    this.stream = stream;
    this.device = device;
  }

  /**
   * Enqueues a batch on the stream.
   *
   * @param scorer a number that identifies the scorer
   * @param stride the batch's padded number of documents
   * @param work enqueues the batch's copies and kernels. For equal {@code scorer} and {@code
   *     stride} they must be the same in each call, until a buffer of the stream is reallocated.
   */
  void enqueue(long scorer, int stride, Runnable work) {
    if (!device.capturing() || stride > MAX_DOCUMENTS) {
      work.run();
      return;
    }
    if (moves != stream.moves()) {
      clear();
      moves = stream.moves();
    }
    Key key = new Key(scorer, stride);
    CudaDriver.Graph graph = graphs.get(key);
    if (graph == null && graphs.containsKey(key)) {
      graph = capture(work);
      graphs.put(key, graph);
    }
    if (graph != null) {
      device.driver().launch(graph, stream.handle());
      return;
    }
    work.run();
    if (moves == stream.moves()) {
      graphs.put(key, null);
      evict();
    }
  }

  /**
   * Records the work of a batch as a graph. If the driver does not support this, returns null and
   * turns graphs off on this device.
   */
  private CudaDriver.@Nullable Graph capture(Runnable work) {
    try {
      return device.call("cuGraphInstantiate", () -> captured(work));
    } catch (CudaException e) {
      if (device.lost() != null) {
        throw e;
      }
      if (!e.passes()) {
        device.capturing(false);
        LOG.log(
            Level.INFO,
            "{0}: CUDA graphs are not available, so kernels are launched one by one, which is"
                + " slower: {1}",
            device.name(),
            e.getMessage());
      }
      return null;
    }
  }

  /**
   * Records the work of a batch as a graph. The driver requires that the recording begins and ends
   * on the same thread.
   */
  private CudaDriver.Graph captured(Runnable work) {
    CudaDriver driver = device.driver();
    driver.beginCapture(stream.handle());
    try {
      work.run();
    } catch (RuntimeException e) {
      driver.cancelCapture(stream.handle());
      throw e;
    }
    return driver.endCapture(stream.handle());
  }

  private void evict() {
    if (graphs.size() > MAX_GRAPHS) {
      Map.Entry<Key, CudaDriver.@Nullable Graph> eldest = graphs.entrySet().iterator().next();
      destroy(eldest.getValue());
      graphs.remove(eldest.getKey());
    }
  }

  private void destroy(CudaDriver.@Nullable Graph graph) {
    if (graph != null && device.lost() == null) {
      device.run("cuGraphExecDestroy", () -> device.driver().destroy(graph));
    }
  }

  /** Destroys all graphs. The stream's work must have ended. */
  void clear() {
    Map<Key, CudaDriver.@Nullable Graph> old = new HashMap<>(graphs);
    graphs.clear();
    old.values().forEach(this::destroy);
  }
}
