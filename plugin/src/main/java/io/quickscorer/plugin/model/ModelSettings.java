// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.compile.Engines;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.plugin.memory.SearchSettings;
import io.quickscorer.scorer.Algorithm;
import java.util.List;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;

/** The plugin's dynamic settings for models, with their current values on this node. */
public final class ModelSettings {
  private static final EnsembleLimits DEFAULTS = EnsembleLimits.DEFAULT;

  /** Setting: the engine (scoring algorithm) for which models are compiled. */
  public static final Setting<Algorithm> ENGINE =
      new Setting<>(
          "quickscorer.engine",
          Algorithm.AUTO.label(),
          ModelSettings::engine,
          Property.NodeScope,
          Property.Dynamic);

  private static Algorithm engine(String label) {
    try {
      return Engines.named(label);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "setting [quickscorer.engine]: [" + FeatureBinding.shown(label) + "]: " + e.getMessage(),
          e);
    }
  }

  /**
   * Setting: the maximum time for which a newly loaded model is run with test data, so that the JIT
   * compiles its code; 0 to skip this.
   */
  public static final Setting<TimeValue> WARM_UP =
      SearchSettings.timeUpTo(
          "quickscorer.model.warm_up",
          TimeValue.timeValueSeconds(10),
          TimeValue.timeValueMinutes(1));

  /** Setting: the maximum size of an uncompressed model file. */
  public static final Setting<ByteSizeValue> MAX_BYTES =
      Setting.byteSizeSetting(
          "quickscorer.model.max_bytes",
          new ByteSizeValue(256, ByteSizeUnit.MB),
          new ByteSizeValue(1),
          new ByteSizeValue(1, ByteSizeUnit.GB),
          Property.NodeScope,
          Property.Dynamic);

  /**
   * Setting: the maximum number of models, and also of aliases; the cluster state contains them
   * all.
   */
  public static final Setting<Integer> MAX_COUNT = limit("quickscorer.model.max_count", 1_000);

  public static final Setting<Integer> MAX_TREES =
      limit("quickscorer.model.max_trees", DEFAULTS.maxTrees());
  public static final Setting<Integer> MAX_LEAVES =
      limit("quickscorer.model.max_leaves", DEFAULTS.maxLeaves());
  public static final Setting<Integer> MAX_DEPTH =
      limit("quickscorer.model.max_depth", DEFAULTS.maxDepth());

  /** Setting: the maximum number of features of a model. A search needs memory for each of them. */
  public static final Setting<Integer> MAX_FEATURES =
      limit("quickscorer.model.max_features", 100_000);

  public static final Setting<Integer> MAX_NODES =
      limit("quickscorer.model.max_nodes", DEFAULTS.maxNodes());
  public static final Setting<Integer> MAX_CATEGORY =
      limit("quickscorer.model.max_category", DEFAULTS.maxCategory());

  /**
   * Setting: the time for which a deleted or replaced version stays loaded, for searches that
   * already use it.
   */
  public static final Setting<TimeValue> RETIRE_AFTER =
      SearchSettings.timeUpTo(
          "quickscorer.model.retire_after",
          TimeValue.timeValueMinutes(1),
          TimeValue.timeValueDays(365));

  /**
   * Setting: the age from which the documents of an unfinished upload may be deleted. The deletion
   * takes place at 1.5 times this age at the latest. An upload fails if it takes longer than half
   * of this age.
   */
  public static final Setting<TimeValue> SWEEP_AFTER =
      SearchSettings.time(
          "quickscorer.model.sweep_after",
          TimeValue.timeValueHours(1),
          TimeValue.timeValueMinutes(1));

  /**
   * Setting: the maximum time that a search waits for a model that the node is still loading. The
   * default is below 30 s, after which clients repeat a request by default.
   */
  public static final Setting<TimeValue> MAX_WAIT =
      SearchSettings.time(
          "quickscorer.model.max_wait", TimeValue.timeValueSeconds(25), TimeValue.ZERO);

  /** Setting: the fraction of hit lists, 0 to 1, whose scores are computed again to verify them. */
  public static final Setting<Double> VERIFY_SHARE =
      SearchSettings.number("quickscorer.verify.share", 0.001, 1);

  /** Setting: whether a search needs a permission for each model and feature set that it uses. */
  public static final Setting<Boolean> RIGHTS_BY_NAME =
      Setting.boolSetting(
          "quickscorer.rights.by_name", false, Property.NodeScope, Property.Dynamic);

  private volatile Settings current;

  public ModelSettings(Settings settings, ClusterSettings clusterSettings) {
    current = settings;
    clusterSettings.addSettingsUpdateConsumer(changed -> current = changed, all());
  }

  private static Setting<Integer> limit(String key, int value) {
    return Setting.intSetting(key, value, 1, Property.NodeScope, Property.Dynamic);
  }

  /** Returns all settings for models, for registration. */
  public static List<Setting<?>> all() {
    return List.of(
        ENGINE,
        WARM_UP,
        MAX_BYTES,
        MAX_COUNT,
        MAX_TREES,
        MAX_LEAVES,
        MAX_DEPTH,
        MAX_FEATURES,
        MAX_NODES,
        MAX_CATEGORY,
        RETIRE_AFTER,
        SWEEP_AFTER,
        MAX_WAIT,
        VERIFY_SHARE,
        RIGHTS_BY_NAME);
  }

  public <T> T get(Setting<T> setting) {
    return setting.get(current);
  }

  /** Returns the limits that an uploaded model must not exceed. */
  public EnsembleLimits limits() {
    Settings settings = current;
    return new EnsembleLimits(
        MAX_TREES.get(settings),
        MAX_LEAVES.get(settings),
        MAX_DEPTH.get(settings),
        MAX_FEATURES.get(settings),
        MAX_NODES.get(settings),
        MAX_CATEGORY.get(settings));
  }

  static Setting<Integer> of(EnsembleLimits.Limit limit) {
    return switch (limit) {
      case TREES -> MAX_TREES;
      case LEAVES -> MAX_LEAVES;
      case DEPTH -> MAX_DEPTH;
      case FEATURES -> MAX_FEATURES;
      case NODES -> MAX_NODES;
      case CATEGORY -> MAX_CATEGORY;
    };
  }
}
