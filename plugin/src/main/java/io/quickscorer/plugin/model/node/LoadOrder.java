// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import java.util.Comparator;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The order in which versions are loaded that nobody waits for yet: first those that an alias
 * stands for, then the most recently used, then the newest. Safe for use by several threads.
 */
final class LoadOrder implements Comparator<ModelManifest> {
  private final Comparator<ModelManifest> order;
  private volatile Set<String> aliased = Set.of();

  /**
   * @param lastUse when a model of that name was last used; 0 if that is not known
   */
  LoadOrder(ToLongFunction<String> lastUse) {
    order =
        Comparator.<ModelManifest, Boolean>comparing(m -> !aliased.contains(m.id().name()))
            .thenComparing(Comparator.comparingLong(m -> -lastUse.applyAsLong(m.id().name())))
            .thenComparing(Comparator.comparingLong(m -> -m.created()))
            .thenComparing(m -> m.id().name());
  }

  /** Follows the aliases. */
  void update(ModelsMetadata models) {
    aliased =
        models.aliases().values().stream()
            .flatMap(alias -> alias.target().models().keySet().stream())
            .collect(Collectors.toSet());
  }

  @Override
  public int compare(ModelManifest one, ModelManifest other) {
    return order.compare(one, other);
  }
}
