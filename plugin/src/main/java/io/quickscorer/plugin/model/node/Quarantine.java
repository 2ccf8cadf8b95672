// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The engines that gave a model a wrong score on this node and hence are no longer used for it.
 * What is entered stays until the node stops, also where the version goes and comes back: a defect
 * of the JVM does not go away. Safe for use by several threads.
 */
final class Quarantine {
  private final Map<ModelId, Set<Algorithm>> engines = new ConcurrentHashMap<>();

  void add(ModelId id, Algorithm engine) {
    engines.merge(
        id,
        Set.of(engine),
        (before, added) -> {
          Set<Algorithm> all = new HashSet<>(before);
          all.addAll(added);
          return Set.copyOf(all);
        });
  }

  /** Returns the quarantined engines of a version; immutable. */
  Set<Algorithm> of(ModelId id) {
    return engines.getOrDefault(id, Set.of());
  }
}
