// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.stats;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.stats.ModelCounters;
import io.quickscorer.plugin.stats.PrometheusText;
import io.quickscorer.plugin.stats.TimeCounter;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** One node's statistics as metrics of Prometheus. Times are in nanoseconds, as everywhere. */
final class NodeMetrics {
  private static final String COUNTER = "counter";
  private static final String GAUGE = "gauge";
  private static final Comparator<ModelId> BY_NAME =
      Comparator.comparing(ModelId::name).thenComparing(ModelId::version);

  private final PrometheusText text = new PrometheusText();
  private final Map<ModelId, ModelCounters.Reading> counters;

  private NodeMetrics(Map<ModelId, ModelCounters.Reading> counters) {
    this.counters = counters;
  }

  static String of(StatsAction.NodeStats node) {
    NodeMetrics metrics = new NodeMetrics(new TreeMap<>(BY_NAME));
    node.models().forEach(state -> metrics.counters.put(state.id(), node.rescore().of(state.id())));
    metrics.counters.putAll(node.rescore().models());
    metrics.node(node);
    metrics.models(node);
    return metrics.text.toString();
  }

  private void node(StatsAction.NodeStats node) {
    gauge("quickscorer_memory_used_bytes", "bytes reserved for models", node.usedBytes());
    gauge("quickscorer_memory_limit_bytes", "most that may be, -1 for all", node.limitBytes());
    text.metric("quickscorer_memory_tripped_total", COUNTER, "requests refused for memory");
    text.value("quickscorer_memory_tripped_total", Map.of(), node.trippedCount());
    text.metric("quickscorer_bind_nanoseconds", "histogram", "binding a search");
    text.histogram("quickscorer_bind_nanoseconds", Map.of(), node.rescore().bind());
    text.metric("quickscorer_sort_nanoseconds", "histogram", "sorting a window");
    text.histogram("quickscorer_sort_nanoseconds", Map.of(), node.rescore().sort());
  }

  private void gauge(String name, String help, long value) {
    text.metric(name, GAUGE, help);
    text.value(name, Map.of(), value);
  }

  private void models(StatsAction.NodeStats node) {
    text.metric("quickscorer_model_bytes", GAUGE, "bytes of a model and its compiled form");
    for (ModelState state : node.models()) {
      text.value("quickscorer_model_bytes", labels(state.id()), state.bytes());
    }
    text.metric("quickscorer_model_state", GAUGE, "1 for the state that a model is in");
    for (ModelState state : node.models()) {
      Map<String, String> labels = labels(state.id());
      labels.put("state", state.phase().name().toLowerCase(Locale.ROOT));
      text.value("quickscorer_model_state", labels, 1);
    }
    count("searches", "searches that named it, on their coordinating node", r -> r.searches());
    count("windows", "shard windows scored", r -> r.windows());
    count("documents", "documents scored", r -> r.documents());
    count("failures", "shard windows that failed", r -> r.failures());
    count("over_budget", "shard windows over budget", r -> r.overBudget());
    times("extract", "features of a window", ModelCounters.Reading::extract);
    times("score", "trees of a window", ModelCounters.Reading::score);
  }

  private void count(String what, String help, ToLongFunction<ModelCounters.Reading> value) {
    String name = "quickscorer_model_" + what + "_total";
    text.metric(name, COUNTER, help);
    counters.forEach((id, read) -> text.value(name, labels(id), value.applyAsLong(read)));
  }

  private void times(
      String what, String help, Function<ModelCounters.Reading, TimeCounter.Reading> times) {
    String name = "quickscorer_model_" + what + "_nanoseconds";
    text.metric(name, "histogram", help);
    counters.forEach((id, read) -> text.histogram(name, labels(id), times.apply(read)));
  }

  private static Map<String, String> labels(ModelId id) {
    return new TreeMap<>(Map.of("model", id.name(), "version", id.version()));
  }
}
