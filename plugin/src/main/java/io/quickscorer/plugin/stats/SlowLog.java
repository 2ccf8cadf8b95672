// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.spi.StandardLevel;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;

/**
 * Logs searches whose ranking took long on a shard, to a separate logger. An entry is logged at the
 * most severe level whose time threshold was reached. Safe for use by several threads.
 */
final class SlowLog {
  /** The name of the logger, for settings and log4j2.properties. */
  public static final String LOGGER_NAME = "quickscorer.rescore.slowlog";

  private static final Logger LOGGER = LogManager.getLogger(LOGGER_NAME);

  /** The settings with the time thresholds, by log level; the most severe level comes first. */
  private static final Map<StandardLevel, Setting<TimeValue>> THRESHOLDS = thresholds();

  private volatile Map<StandardLevel, Long> nanos = Map.of();

  private static Map<StandardLevel, Setting<TimeValue>> thresholds() {
    Map<StandardLevel, Setting<TimeValue>> thresholds = new EnumMap<>(StandardLevel.class);
    for (StandardLevel level :
        List.of(StandardLevel.WARN, StandardLevel.INFO, StandardLevel.DEBUG, StandardLevel.TRACE)) {
      thresholds.put(
          level,
          Setting.timeSetting(
              "quickscorer.slowlog.threshold." + level.name().toLowerCase(Locale.ROOT),
              TimeValue.timeValueNanos(-1),
              TimeValue.timeValueMillis(-1),
              Property.NodeScope,
              Property.Dynamic));
    }
    return thresholds;
  }

  /** Returns the settings of the time thresholds. A negative threshold turns its level off. */
  public static List<Setting<?>> all() {
    return List.copyOf(THRESHOLDS.values());
  }

  /** Reads the settings, and follows changes of them. */
  public void follow(Settings settings, ClusterSettings cluster) {
    read(settings);
    cluster.addSettingsUpdateConsumer(this::read, all());
  }

  private void read(Settings settings) {
    Map<StandardLevel, Long> read = new EnumMap<>(StandardLevel.class);
    THRESHOLDS.forEach(
        (level, setting) -> {
          long threshold = setting.get(settings).nanos();
          if (threshold >= 0) {
            read.put(level, threshold);
          }
        });
    nanos = read;
  }

  /**
   * Logs the ranking of one shard's hits if it took long.
   *
   * @param shard returns the name of the shard
   * @param request returns a description of the search
   * @param documents the number of hits to rank
   * @param took the time in nanoseconds
   * @param parts returns the times of the parts of the ranking, or why it was ended
   */
  public void log(
      List<ModelId> models,
      Supplier<String> shard,
      Supplier<String> request,
      int documents,
      long took,
      Supplier<String> parts) {
    for (Map.Entry<StandardLevel, Long> threshold : nanos.entrySet()) {
      if (took >= threshold.getValue()) {
        LOGGER.log(
            Level.getLevel(threshold.getKey().name()),
            "{} took[{}], took_nanos[{}], {}, window[{}], models{}, {}",
            shard.get(),
            new TimeValue(took, TimeUnit.NANOSECONDS),
            took,
            parts.get(),
            documents,
            models,
            request.get());
        return;
      }
    }
  }
}
