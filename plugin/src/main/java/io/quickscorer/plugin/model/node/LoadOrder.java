// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The order in which a node loads models for which no search waits: first models to which aliases
 * point, then the most recently used, then the newest. Safe for use by several threads.
 */
final class LoadOrder implements Comparator<ModelManifest> {
  private final ToLongFunction<String> lastUse;
  private final Comparator<ModelManifest> order;
  private volatile Set<String> aliased = Set.of();

  /**
   * Creates an order for models without aliases; {@link #update} sets the aliases.
   *
   * @param lastUse returns the time when a model with this name was last used; 0 if unknown
   */
  LoadOrder(ToLongFunction<String> lastUse) {
    this.lastUse = lastUse;
    this.order = order(name -> aliased.contains(name), lastUse);
  }

  private static Comparator<ModelManifest> order(
      Predicate<String> aliased, ToLongFunction<String> lastUse) {
    return Comparator.<ModelManifest, Boolean>comparing(m -> !aliased.test(m.id().name()))
        .thenComparing(Comparator.comparingLong(m -> -lastUse.applyAsLong(m.id().name())))
        .thenComparing(Comparator.comparingLong(m -> -m.created()))
        .thenComparing(m -> m.id().name());
  }

  /** Updates which models are loaded first: those to which aliases now point. */
  void update(ModelsMetadata models) {
    aliased =
        models.aliases().values().stream()
            .flatMap(alias -> alias.target().models().keySet().stream())
            .collect(Collectors.toSet());
  }

  /** Returns the models in the order of loading. Reads each model's time of last use only once. */
  List<ModelManifest> sorted(Map<String, ModelManifest> models) {
    Map<String, Long> uses = new HashMap<>();
    models.keySet().forEach(name -> uses.put(name, lastUse.applyAsLong(name)));
    return models.values().stream()
        .sorted(order(aliased::contains, name -> uses.getOrDefault(name, 0L)))
        .toList();
  }

  /**
   * Compares two models. To sort a list, use {@link #sorted}, because the order changes if a model
   * is used during the sort.
   */
  @Override
  public int compare(ModelManifest one, ModelManifest other) {
    return order.compare(one, other);
  }
}
