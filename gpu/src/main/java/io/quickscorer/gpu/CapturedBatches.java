// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stream's small batches as CUDA graphs: the copies and kernels of a batch are captured once, and
 * then launched as one. A small batch takes the device less time than five launches take the host.
 *
 * <p>Captured work holds addresses of the stream's buffers, so it is dropped when a buffer moves,
 * and the sizes of a batch, so all batches of up to as many documents as the padded columns share
 * it. The first batch of a size is launched without a graph: that grows the buffers, which
 * capturing must not do, and saves the cost of a graph for sizes that occur once. Used by one
 * thread at a time.
 */
final class CapturedBatches {
  /** Larger batches keep the device busy for longer than launches take. */
  static final int MAX_DOCUMENTS = 1024;

  private static final Logger LOG = System.getLogger(CapturedBatches.class.getName());
  private static final int MAX_GRAPHS = 64;

  private record Key(long scorer, int stride) {}

  private final DeviceStream stream;
  private final GpuDevice device;

  /** Graphs by size; null for a size that occurred once. The least recently used comes first. */
  private final Map<Key, CudaDriver.@Nullable Graph> graphs = new LinkedHashMap<>(16, 0.75f, true);

  private long moves;

  CapturedBatches(DeviceStream stream, GpuDevice device) {
    this.stream = stream;
    this.device = device;
  }

  /**
   * Puts a batch on the stream.
   *
   * @param scorer a number no other scorer has
   * @param stride the batch's padded number of documents
   * @param work puts it there piece by piece; the same pieces at each call with these arguments, as
   *     long as no buffer of the stream moves
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
   * Captures the work as a graph. If the driver can't, returns null and turns graphs off on this
   * device.
   */
  private CudaDriver.@Nullable Graph capture(Runnable work) {
    CudaDriver driver = device.driver();
    try {
      driver.beginCapture(stream.handle());
      try {
        work.run();
      } catch (RuntimeException e) {
        driver.cancelCapture(stream.handle());
        throw e;
      }
      return driver.endCapture(stream.handle());
    } catch (CudaException e) {
      if (!e.passes()) {
        device.capturing(false);
        LOG.log(
            Level.INFO,
            "{0}: no CUDA graphs, kernels are launched one by one (slower): {1}",
            device.name(),
            e.getMessage());
      }
      return null;
    }
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
      device.driver().destroy(graph);
    }
  }

  /** Drops all; nothing of the stream's may be under way. */
  void clear() {
    Map<Key, CudaDriver.@Nullable Graph> old = new HashMap<>(graphs);
    graphs.clear();
    old.values().forEach(this::destroy);
  }
}
