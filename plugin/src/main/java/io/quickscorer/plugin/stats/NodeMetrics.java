// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.scorer.Accelerators.Device;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes a node's statistics in Prometheus's text format: times in seconds, sizes in bytes. */
final class NodeMetrics {
  private static final SortedMap<String, String> NO_LABELS = new TreeMap<>();
  private static final Comparator<ModelId> BY_NAME =
      Comparator.comparing(ModelId::name).thenComparing(ModelId::version);

  private final PrometheusText text = new PrometheusText();
  private final NodeStats node;

  private NodeMetrics(NodeStats node) {
    this.node = node;
  }

  static String of(NodeStats node) {
    NodeMetrics metrics = new NodeMetrics(node);
    metrics.node();
    metrics.devices();
    metrics.pipelines();
    metrics.models();
    return metrics.text.toString();
  }

  private void node() {
    gauge("ready", "1 if the node waits for no model to load, else 0", node.ready() ? 1 : 0);
    gauge(
        "jvm_known_defects",
        "defects of the JIT of this JVM that can make a score wrong",
        node.jvm().knownDefects().size());
    NodeStats.Memory memory = node.memory();
    gauge("memory_used_bytes", "bytes reserved for models", memory.used());
    gauge(
        "memory_limit_bytes", "limit of the bytes for models, -1 if there is none", memory.limit());
    text.counter("memory_tripped", "requests refused for memory", NO_LABELS, memory.tripped());
    text.counters("rescore", NO_LABELS, node.rescore().counts());
    text.times("rescore", NO_LABELS, node.rescore().times());
    text.counters("verify", NO_LABELS, node.verify().all());
    text.counter(
        "verify_seconds",
        "time on the threads of the verification",
        NO_LABELS,
        PrometheusText.seconds(node.verify().nanos()));
  }

  private void gauge(String name, String help, long value) {
    text.gauge(name, help, NO_LABELS, value);
  }

  private void devices() {
    List<Device> devices = node.devices().accelerators().devices();
    for (int d = 0; d < devices.size(); d++) {
      Device device = devices.get(d);
      SortedMap<String, String> labels =
          new TreeMap<>(Map.of("device", Integer.toString(d), "name", device.name()));
      text.gauge("gpu_memory_used_bytes", "device memory in use", labels, device.bytes());
      text.counter("gpu_calls", "calls to the device", labels, device.calls());
      text.counter("gpu_failures", "calls to the device that failed", labels, device.failures());
      text.gauge(
          "gpu_lost",
          "1 if the device failed and is no longer used, else 0",
          labels,
          device.lost().isEmpty() ? 0 : 1);
    }
  }

  private void pipelines() {
    node.rescore()
        .pipelines()
        .pipelines()
        .forEach(
            (name, reading) -> {
              SortedMap<String, String> labels = new TreeMap<>(Map.of(Measure.PIPELINE, name));
              text.counters(Measure.PIPELINE, labels, reading.counts());
              reading
                  .left()
                  .forEach(
                      (reason, count) -> {
                        SortedMap<String, String> reasons = new TreeMap<>(labels);
                        reasons.put("reason", reason);
                        text.counter(
                            "pipeline_left_alone",
                            "searches that the processor did not change",
                            reasons,
                            count);
                      });
            });
  }

  private void models() {
    SortedMap<ModelId, RescoreStats.ModelCounters.Reading> counters = new TreeMap<>(BY_NAME);
    counters.putAll(node.rescore().models());
    for (ModelState state : node.models()) {
      counters.putIfAbsent(state.id(), RescoreStats.ModelCounters.Reading.NONE);
      state(state);
    }
    counters.forEach(
        (id, reading) -> {
          text.counters(Measure.MODEL, labels(id), reading.counts());
          text.times(Measure.MODEL, labels(id), reading.times());
          text.counters("model_verified", labels(id), node.verify().of(id));
          DriftWindows.Alarms alarms = node.rescore().alarms().get(id);
          if (alarms != null) {
            drift(id, alarms);
          }
        });
  }

  private void state(ModelState state) {
    SortedMap<String, String> labels = labels(state.id());
    text.gauge("model_bytes", "bytes of a model in memory", labels, state.bytes());
    text.gauge(
        "model_quarantined_engines",
        "engines that are not used because they computed a wrong score",
        labels,
        state.quarantined().size());
    labels.put("state", state.phase().name().toLowerCase(Locale.ROOT));
    text.gauge("model_state", "1 for the state that a model is in", labels, 1);
  }

  private void drift(ModelId id, DriftWindows.Alarms alarms) {
    text.gauge(
        "model_drifting_features",
        "features whose population stability index reached quickscorer.drift.psi_alarm",
        labels(id),
        alarms.driftingFeatures());
    text.gauge(
        "model_max_psi",
        "largest population stability index of a feature",
        labels(id),
        alarms.maxPsi());
  }

  private static SortedMap<String, String> labels(ModelId id) {
    return new TreeMap<>(Map.of("model", id.name(), "version", id.version()));
  }
}
