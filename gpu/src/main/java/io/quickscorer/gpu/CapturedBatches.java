// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Launches the small batches of a stream (a queue of GPU work) as CUDA graphs. A graph is a
 * recording of the copies and kernels of a batch. Launching a graph is one call; without a graph,
 * five calls are necessary, which take longer than the batch itself.
 *
 * <p>A graph contains the addresses of the stream's buffers, so all graphs are dropped if a buffer
 * moves. A graph also contains the padded batch size, so each size has its own graph. The first
 * batch of a size runs without a graph, because it may enlarge the buffers. Used by one thread at a
 * time.
 */
final class CapturedBatches {
  /**
   * Maximum number of documents of a batch with a CUDA graph; larger batches gain nothing from it.
   */
  static final int MAX_DOCUMENTS = 1024;

  private static final Logger LOG = System.getLogger(CapturedBatches.class.getName());
  private static final int MAX_GRAPHS = 64;

  private record Key(long scorer, int stride) {}

  private final DeviceStream stream;
  private final GpuDevice device;

  /**
   * The CUDA graphs, by scorer and batch size; the least recently used one is first. The value is
   * null if such a batch has run only once, without a graph.
   */
  private final Map<Key, CudaDriver.@Nullable Graph> graphs = new LinkedHashMap<>(16, 0.75f, true);

  private long moves;

  CapturedBatches(DeviceStream stream, GpuDevice device) {
    this.stream = stream;
    this.device = device;
  }

  /**
   * Adds a batch to the stream's queue, as a graph if possible.
   *
   * @param scorer a number that identifies the scorer
   * @param stride the batch's padded number of documents
   * @param work adds the batch's copies and kernels to the queue; they must be equal for equal
   *     {@code scorer} and {@code stride}, until a buffer of the stream moves
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
   * Records a batch. If this fails, returns null, and turns CUDA graphs off unless the failure may
   * be temporary. If the device is lost, throws the exception.
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

  /** Records a batch as a graph. {@code work} must queue all of the batch on the calling thread. */
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

  /** Destroys all CUDA graphs. Must be called only after all work of the stream has ended. */
  void clear() {
    Map<Key, CudaDriver.@Nullable Graph> old = new HashMap<>(graphs);
    graphs.clear();
    old.values().forEach(this::destroy);
  }
}
