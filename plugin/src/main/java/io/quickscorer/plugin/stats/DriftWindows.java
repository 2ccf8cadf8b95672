// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.memory.SearchSettings;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Counts the values of each model's features per bin (range of values) and time window, to detect
 * drift (a change of the values' distribution). Time windows start at multiples of their length
 * since the epoch, so they are equal on all nodes. At the end of a time window, features with drift
 * are logged. Safe for use by several threads.
 */
final class DriftWindows {
  /** Setting: the length of a time window, in which the values of features are counted. */
  public static final Setting<TimeValue> LENGTH =
      SearchSettings.time(
          "quickscorer.drift.window", TimeValue.timeValueHours(1), TimeValue.timeValueMillis(100));

  /**
   * Setting: the population stability index (a measure of the difference of two distributions) from
   * which a feature is reported as drifting; 0 for no reports.
   */
  public static final Setting<Double> ALARM =
      SearchSettings.number("quickscorer.drift.psi_alarm", 0.2, Double.POSITIVE_INFINITY);

  private static final Logger LOGGER = LogManager.getLogger(DriftWindows.class);

  private final LongSupplier clock;
  private final Map<ModelId, Model> models = new ConcurrentHashMap<>();
  private volatile long length = LENGTH.get(Settings.EMPTY).millis();

  /** The current value of the setting {@link #ALARM}; 0 until {@link #follow} is called. */
  private volatile double alarm;

  /**
   * Creates an object without counts.
   *
   * @param clock returns the time in milliseconds since the epoch; must be fast
   */
  DriftWindows(LongSupplier clock) {
    this.clock = clock;
  }

  /** Reads the settings, and follows changes of them. */
  public void follow(Settings settings, ClusterSettings cluster) {
    length = LENGTH.get(settings).millis();
    alarm = ALARM.get(settings);
    cluster.addSettingsUpdateConsumer(LENGTH, set -> length = set.millis());
    cluster.addSettingsUpdateConsumer(ALARM, set -> alarm = set);
  }

  private final class Model {
    private final ModelId id;
    private final List<String> names;
    private final float[][] edges;
    private AtomicLongArray[] current;
    private List<BinCounts> counts;
    private long window;

    Model(ModelId id, TreeEnsemble ensemble, int features, long window) {
      this.id = id;
      this.names = ensemble.columnNames();
      this.edges = FeatureBins.edges(ensemble, features);
      this.current = counters();
      this.counts =
          Arrays.stream(current).map(none -> new BinCounts(values(none), values(none))).toList();
      this.window = window;
    }

    private AtomicLongArray[] counters() {
      AtomicLongArray[] counters = new AtomicLongArray[edges.length];
      for (int f = 0; f < counters.length; f++) {
        counters[f] = new AtomicLongArray(FeatureBins.count(edges[f]));
      }
      return counters;
    }

    private static long[] values(AtomicLongArray counters) {
      return IntStream.range(0, counters.length()).mapToLong(counters::get).toArray();
    }

    /** Saves the counts of the current time window as those of the last complete window. */
    private void end() {
      List<BinCounts> saved = new ArrayList<>();
      for (int f = 0; f < edges.length; f++) {
        saved.add(counts.get(f).then(values(current[f])));
      }
      counts = saved;
      current = counters();
    }

    /**
     * Returns the counters of the current time window, one array of bins per feature. If this
     * window has just begun, first saves the counts of the window before it.
     *
     * @param now the number of the current time window, counted from the epoch
     */
    private synchronized AtomicLongArray[] at(long now) {
      if (now != window) {
        boolean next = now == window + 1;
        end();
        window = now;
        warn();
        if (!next) {
          // The window before this one had no values, so the saved counts belong to earlier
          // windows.
          end();
        }
      }
      return current;
    }

    private void warn() {
      List<String> drifting = new ArrayList<>();
      for (int f = 0; f < edges.length; f++) {
        double psi = counts.get(f).psi();
        if (isAlarming(psi)) {
          drifting.add(names.get(f));
        }
      }
      if (!drifting.isEmpty()) {
        LOGGER.warn(
            "model [{}]: values of features {} have drifted: population stability index is [{}] or"
                + " more",
            id,
            drifting,
            alarm);
      }
    }

    private synchronized List<BinCounts> read(long now) {
      at(now);
      return counts;
    }
  }

  /**
   * The drift of one model's features in the last complete time window.
   *
   * @param maxPsi the largest population stability index of any feature; NaN if no feature has
   *     enough values
   * @param driftingFeatures the number of features whose population stability index reaches {@link
   *     #ALARM}
   */
  public record Alarms(double maxPsi, int driftingFeatures) implements WireRecord {
    void toXContent(XContentBuilder builder) throws IOException {
      builder.startObject("drift");
      builder.field("max_psi", maxPsi).field("drifting_features", driftingFeatures);
      builder.endObject();
    }
  }

  /** Returns the drift of each model's features; leaves out models with too few values. */
  public Map<ModelId, Alarms> alarms() {
    Map<ModelId, Alarms> alarms = new HashMap<>();
    models.forEach(
        (id, model) -> {
          double maxPsi = Double.NaN;
          int drifting = 0;
          for (BinCounts bins : model.read(now())) {
            double psi = bins.psi();
            if (psi > maxPsi || Double.isNaN(maxPsi)) {
              maxPsi = psi;
            }
            drifting += isAlarming(psi) ? 1 : 0;
          }
          if (!Double.isNaN(maxPsi)) {
            alarms.put(id, new Alarms(maxPsi, drifting));
          }
        });
    return alarms;
  }

  /** Returns whether a population stability index reaches {@link #ALARM}. */
  public boolean isAlarming(double psi) {
    return alarm > 0 && psi >= alarm;
  }

  private long now() {
    return clock.getAsLong() / length;
  }

  /**
   * Counts the feature values of documents that a model scored.
   *
   * @param ensemble returns the model; called only when the model scores for the first time
   * @param matrix the values of the model's features
   */
  public void observe(ModelId id, Supplier<TreeEnsemble> ensemble, FeatureMatrix matrix) {
    long now = now();
    Model model =
        models.computeIfAbsent(id, made -> new Model(made, ensemble.get(), matrix.features(), now));
    AtomicLongArray[] counters = model.at(now);
    int documents = ObservedFeatures.documents(matrix);
    for (int f = 0; f < counters.length; f++) {
      int[] counts = new int[counters[f].length()];
      int at = matrix.column(f);
      for (int i = at; i < at + documents; i++) {
        counts[FeatureBins.of(model.edges[f], matrix.values()[i])]++;
      }
      for (int bin = 0; bin < counts.length; bin++) {
        if (counts[bin] > 0) {
          counters[f].addAndGet(bin, counts[bin]);
        }
      }
    }
  }

  /**
   * Returns the counts of each feature of a model, in the model's order; an empty list if the model
   * has not scored on this node.
   */
  public List<BinCounts> read(ModelId id) {
    Model model = models.get(id);
    return model == null ? List.of() : model.read(now());
  }

  /** Removes the counts of models that do not exist; {@code kept} says whether a version exists. */
  void retain(Predicate<ModelId> kept) {
    models.keySet().removeIf(kept.negate());
  }
}
