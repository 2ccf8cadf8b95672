// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Counts, by search pipeline, how often this plugin's processors ranked a search or left it
 * unchanged, on one node since its start. Safe for use by several threads.
 */
public final class PipelineStats {
  /**
   * Maximum number of search pipelines that have counters of their own. The searches of further
   * pipelines are counted together.
   */
  private static final int MAX_PIPELINES = 1_000;

  private static final String OTHERS = "_others";

  private final Map<String, Pipeline> pipelines = new ConcurrentHashMap<>();
  private volatile Metrics metrics = Metrics.NONE;

  /** The reason why a processor of a search pipeline did not rank a search. */
  public enum Left {
    CLAUSE,
    CROSS_CLUSTER,
    SIZE,
    NO_HITS,
    SORT,
    SEARCH_AFTER,
    SCROLL,
    COLLAPSE,
    STORED_FIELDS,
    INDEX,
    SHARE,
    PARAMS,
    TIMEOUT
  }

  /** The counters of one search pipeline. */
  public final class Pipeline {
    private final String name;
    private final Counters<Measure.Pipeline> counts =
        new Counters<>(EnumSet.allOf(Measure.Pipeline.class));
    private final Map<Left, LongAdder> left = new ConcurrentHashMap<>();

    private Pipeline(String name) {
      this.name = name;
    }

    /** Counts a search that the processor ranked. */
    public void ranked() {
      count(Measure.Pipeline.RANKED);
    }

    /** Counts a search that the processor left unchanged. */
    public void left(Left reason) {
      left.computeIfAbsent(reason, r -> new LongAdder()).increment();
    }

    /**
     * Counts a search whose ranking failed, and which therefore returned its hits unranked. This
     * happens only in pipelines that ignore failures.
     */
    public void ignoredFailure() {
      count(Measure.Pipeline.IGNORED_FAILURES);
    }

    private void count(Measure.Pipeline measure) {
      counts.add(measure, 1);
      metrics.add(measure, name, 1);
    }

    private Reading read() {
      Map<String, Long> reasons = new TreeMap<>();
      left.forEach((reason, count) -> reasons.put(EnumNames.of(reason), count.sum()));
      return new Reading(counts.read(), reasons);
    }
  }

  void sendTo(Metrics registered) {
    metrics = registered;
  }

  /**
   * Returns the counters of a search pipeline. After {@link #MAX_PIPELINES} pipelines, returns the
   * counters that all further pipelines share.
   */
  public Pipeline of(String name) {
    Pipeline known = pipelines.get(name);
    if (known != null) {
      return known;
    }
    String key = pipelines.size() < MAX_PIPELINES ? name : OTHERS;
    return pipelines.computeIfAbsent(key, Pipeline::new);
  }

  Counts counts() {
    Map<String, Reading> readings = new TreeMap<>();
    pipelines.forEach((name, pipeline) -> readings.put(name, pipeline.read()));
    return new Counts(readings);
  }

  /**
   * The values of a search pipeline's counters at one moment.
   *
   * @param left the number of searches that the pipeline did not rank, by the reason for this
   */
  public record Reading(Counters.Reading<Measure.Pipeline> counts, Map<String, Long> left)
      implements WireRecord {}

  /** The values of all search pipelines' counters at one moment, by the pipeline's name. */
  public record Counts(Map<String, Reading> pipelines) implements WireRecord, ToXContentFragment {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, ToXContent.Params params)
        throws IOException {
      builder.startObject("pipelines");
      for (Map.Entry<String, Reading> pipeline : pipelines.entrySet()) {
        Reading reading = pipeline.getValue();
        builder.startObject(pipeline.getKey());
        reading.counts.toXContent(builder);
        builder.field("left_alone", reading.left);
        builder.endObject();
      }
      return builder.endObject();
    }
  }
}
