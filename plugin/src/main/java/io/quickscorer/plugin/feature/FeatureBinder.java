// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.guard.Work;
import io.quickscorer.plugin.memory.RequestBudget;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.xcontent.NamedXContentRegistry;

/** Binds a feature set to one request's parameters. Each instance is used once. */
final class FeatureBinder {
  private final FeatureSet set;
  private final RequestBinding request;

  FeatureBinder(
      FeatureSet set,
      Map<String, Object> params,
      NamedXContentRegistry registry,
      RequestBudget budget) {
    this.set = set;
    Map<String, Object> all = new HashMap<>(set.defaultParams());
    all.putAll(params);
    Map<String, Integer> places = new HashMap<>();
    set.features().forEach(feature -> places.put(feature.name(), places.size()));
    this.request = new RequestBinding(all, places, registry, budget);
  }

  BoundFeatures bind(Predicate<String> needed) {
    Set<String> all = withInputs(needed);
    List<BoundFeature> features = new ArrayList<>();
    List<BoundFeatures.Relative> relative = new ArrayList<>();
    for (FeatureDefinition feature : set.features()) {
      if (!all.contains(feature.name())) {
        features.add(new BoundFeature.Unused(feature.name()));
        continue;
      }
      WindowScale scale = feature.modifiers().window();
      if (scale != null) {
        relative.add(
            new BoundFeatures.Relative(features.size(), scale, feature.modifiers().missing()));
      }
      try {
        features.add(feature.bind(request));
      } catch (CircuitBreakingException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw new IllegalArgumentException(
            "feature [" + feature.name() + "]: " + e.getMessage(), e);
      }
    }
    return new BoundFeatures(features, request.queries(), relative);
  }

  private Set<String> withInputs(Predicate<String> needed) {
    Set<String> all = new HashSet<>();
    Deque<FeatureDefinition> open = new ArrayDeque<>();
    for (FeatureDefinition feature : set.features()) {
      if (needed.test(feature.name())) {
        open.add(feature);
      }
    }
    while (!open.isEmpty()) {
      Work.step();
      FeatureDefinition feature = open.pop();
      if (all.add(feature.name())) {
        feature.inputs().forEach(input -> open.push(set.features().get(request.place(input))));
      }
    }
    return all;
  }
}
