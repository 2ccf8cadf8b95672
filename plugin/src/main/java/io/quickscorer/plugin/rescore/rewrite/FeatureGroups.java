// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.LuceneExpression;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup.ModelFeatures;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.ToXContent;

/**
 * Puts the features of a clause's models into groups. The models of a group share features, which
 * are computed once. Models whose sets define a feature or a default parameter differently get
 * separate groups.
 */
final class FeatureGroups {
  private final List<Group> groups = new ArrayList<>();
  private final List<BoundClause.BoundModel> models = new ArrayList<>();
  private int logged;

  private static final class Group {
    private FeatureSet set;
    private final Set<String> needed = new HashSet<>();

    Group(FeatureSet set) {
      this.set = set;
    }
  }

  /** Adds all features of a set that is logged without a model. */
  void addLogged(FeatureSet set) {
    Group group = new Group(set);
    groups.add(group);
    logAll(group, set);
  }

  /**
   * Adds a model's features. The models of the last {@linkplain BoundClause.Stage stage} must be
   * added first.
   *
   * @param log whether the response contains the values of all features in the model's set; allowed
   *     only for the first model
   */
  void add(ModelId id, String name, ModelFeatures features, boolean log) {
    int place = place(features.features());
    Group group = groups.get(place);
    group.needed.addAll(features.used());
    if (log) {
      logAll(group, features.features());
    }
    models.add(new BoundClause.BoundModel(id, name, place));
  }

  private void logAll(Group group, FeatureSet set) {
    set.features().forEach(feature -> group.needed.add(feature.name()));
    logged = set.features().size();
  }

  private int place(FeatureSet set) {
    for (int g = 0; g < groups.size(); g++) {
      StepLimit.step();
      FeatureSet union = union(groups.get(g).set, set);
      if (union != null) {
        groups.get(g).set = union;
        return g;
      }
    }
    groups.add(new Group(set));
    return groups.size() - 1;
  }

  /**
   * Returns a set with the features of both sets, those of {@code a} first; null if the sets define
   * a feature or a default parameter differently.
   */
  static @Nullable FeatureSet union(FeatureSet a, FeatureSet b) {
    if (!a.defaultParams().equals(b.defaultParams())) {
      return null;
    }
    Map<String, FeatureDefinition> known = new HashMap<>();
    a.features().forEach(feature -> known.put(feature.name(), feature));
    List<FeatureDefinition> all = new ArrayList<>(a.features());
    for (FeatureDefinition feature : b.features()) {
      FeatureDefinition same = known.get(feature.name());
      if (same == null) {
        all.add(feature);
      } else if (!text(same).equals(text(feature))) {
        return null;
      }
    }
    if (all.size() > FeatureSet.MAX_FEATURES) {
      return null;
    }
    return all.size() == a.features().size() ? a : new FeatureSet(a.name(), all, a.defaultParams());
  }

  private static BytesReference text(FeatureDefinition feature) {
    return BoundedContent.json(
        FeatureSet.MAX_BYTES, json -> feature.toXContent(json, ToXContent.EMPTY_PARAMS));
  }

  /**
   * Inserts a request's parameters into all features, and into the {@code final} expression of a
   * clause, which computes final scores.
   *
   * @param nonce a random text that identifies the logged values of this request; null if nothing
   *     is logged
   * @param budget charges the bytes of inserted parameters before they are allocated
   * @throws IllegalArgumentException naming the feature or parameter that is wrong, or the feature
   *     that is allowed only with {@code "scope": "global"}
   */
  BoundClause bind(
      ClauseOptions options,
      NamedXContentRegistry registry,
      @Nullable String nonce,
      RequestBudget budget) {
    long before = budget.rendered();
    String expression = options.rules().expression();
    LuceneExpression.Bound rule = expression == null ? null : rule(expression, options.params());
    List<BoundFeatures> bound = new ArrayList<>();
    for (Group group : groups) {
      BoundFeatures features =
          BoundFeatures.bind(group.set, group.needed::contains, options.params(), registry, budget);
      if (!options.isGlobal() && !features.relative().isEmpty()) {
        int place = features.relative().getFirst().place();
        throw new IllegalArgumentException(
            "feature ["
                + features.features().get(place).name()
                + "]: [normalize] window needs [scope] global, because a shard has only its own"
                + " hits");
      }
      bound.add(features);
    }
    int last = models.size() - options.stages().size();
    return new BoundClause(
        models.subList(0, last),
        bound,
        logged,
        nonce,
        budget.rendered() - before,
        rule,
        models.subList(last, models.size()));
  }

  /**
   * Inserts the parameters into a {@code final} expression. The features that the expression reads
   * are added to those to compute.
   */
  private LuceneExpression.Bound rule(String expression, Map<String, Object> params) {
    Group group = groups.getFirst();
    Map<String, Object> all = new HashMap<>(group.set.defaultParams());
    all.putAll(params);
    FinalBinder binder = new FinalBinder(expression, group.set);
    LuceneExpression.Bound rule = binder.bind(all, group.needed);
    group.set = new FeatureSet(group.set.name(), binder.features(), group.set.defaultParams());
    return rule;
  }
}
