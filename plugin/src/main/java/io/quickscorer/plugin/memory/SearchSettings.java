// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;

/** The limits of each request on this node, from the node's settings. */
public final class SearchSettings {
  /** Setting: maximum total size of the parameters that a search inserts into features. */
  public static final Setting<ByteSizeValue> MAX_RENDERED_BYTES =
      Setting.byteSizeSetting(
          "quickscorer.search.max_rendered_bytes",
          new ByteSizeValue(16, ByteSizeUnit.MB),
          new ByteSizeValue(1, ByteSizeUnit.KB),
          new ByteSizeValue(1, ByteSizeUnit.GB),
          Property.NodeScope,
          Property.Dynamic);

  /** Setting: maximum total number of clauses in a search's feature queries, on one shard. */
  public static final Setting<Integer> MAX_CLAUSES =
      count("quickscorer.search.max_clauses", 1 << 16, 1, Integer.MAX_VALUE);

  /** Setting: maximum number of feature values, one per feature and hit that a model ranks. */
  public static final Setting<Long> MAX_VALUES =
      Setting.longSetting(
          "quickscorer.search.max_values", 20_000_000, 1, Property.NodeScope, Property.Dynamic);

  /** Setting: maximum depth of nested objects and arrays in a feature's query. */
  public static final Setting<Integer> MAX_NESTING =
      count("quickscorer.search.max_nesting", 100, 1, 300);

  /**
   * Setting: maximum number of threads that rank the hits of one search on a shard, including the
   * search's own thread.
   */
  public static final Setting<Integer> MAX_THREADS =
      count("quickscorer.search.max_threads", 8, 1, 64);

  /** Setting: maximum time that one shard takes to explain the hits of a search. */
  public static final Setting<TimeValue> MAX_EXPLAIN_TIME =
      time("quickscorer.search.max_explain_time", TimeValue.timeValueSeconds(10), TimeValue.ZERO);

  /** Setting: whether features can run scripts, directly or in their queries. */
  public static final Setting<Boolean> SCRIPTS =
      Setting.boolSetting(
          "quickscorer.feature_set.scripts", true, Property.NodeScope, Property.Dynamic);

  /** The current value of each setting, cached because a search reads settings for each feature. */
  private volatile Map<Setting<?>, Object> current;

  private SearchSettings(Settings settings) {
    current = values(settings);
  }

  private static Map<Setting<?>, Object> values(Settings settings) {
    return all().stream().collect(Collectors.toMap(each -> each, each -> each.get(settings)));
  }

  /** Returns the limits in a node's settings. If the settings change, the limits change too. */
  public static SearchSettings of(Settings settings, ClusterSettings clusterSettings) {
    SearchSettings limits = new SearchSettings(settings);
    clusterSettings.addSettingsUpdateConsumer(changed -> limits.current = values(changed), all());
    return limits;
  }

  /** Returns limits with the values in {@code settings}. These limits never change. */
  public static SearchSettings of(Settings settings) {
    return new SearchSettings(settings);
  }

  /** Creates a dynamic setting for a time. */
  public static Setting<TimeValue> time(String key, TimeValue value, TimeValue min) {
    return Setting.timeSetting(key, value, min, Property.NodeScope, Property.Dynamic);
  }

  /** Creates a dynamic setting for a time from 0 to {@code max}. */
  public static Setting<TimeValue> timeUpTo(String key, TimeValue value, TimeValue max) {
    return Setting.timeSetting(
        key, value, TimeValue.ZERO, max, Property.NodeScope, Property.Dynamic);
  }

  /** Creates a dynamic setting for a number from 0 to {@code max}. */
  public static Setting<Double> number(String key, double value, double max) {
    return Setting.doubleSetting(
        key, value, 0, max, SearchSettings::checkNumber, Property.NodeScope, Property.Dynamic);
  }

  /** Rejects NaN as a setting's value; the server's check of minimum and maximum accepts it. */
  private static void checkNumber(double value) {
    if (Double.isNaN(value)) {
      throw new IllegalArgumentException("expected a number, not NaN");
    }
  }

  private static Setting<Integer> count(String key, int value, int min, int max) {
    return Setting.intSetting(key, value, min, max, Property.NodeScope, Property.Dynamic);
  }

  /** Returns all settings of these limits, for registration. */
  public static List<Setting<?>> all() {
    return List.of(
        MAX_RENDERED_BYTES,
        MAX_CLAUSES,
        MAX_VALUES,
        MAX_NESTING,
        MAX_THREADS,
        MAX_EXPLAIN_TIME,
        SCRIPTS);
  }

  @SuppressWarnings("unchecked") // each value has the type of its setting
  public <T> T get(Setting<T> setting) {
    return (T) Objects.requireNonNull(current.get(setting));
  }

  /**
   * Throws an exception (400) if a number exceeds its limit. The message contains the number, the
   * limit and the name of the setting.
   *
   * @param what the description of the number
   * @param wanted the number
   * @param max the limit
   */
  static void check(String what, long wanted, long max, Setting<?> setting) {
    if (wanted > max) {
      throw new IllegalArgumentException(
          what
              + ": "
              + wanted
              + ", at most "
              + max
              + " allowed by setting ["
              + setting.getKey()
              + "]");
    }
  }
}
