// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The engines that scored a model wrong on this node, and are therefore not used for it. An entry
 * remains until the node stops, because a defect of the JVM remains too. Safe for use by several
 * threads.
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

  /** Returns the quarantined engines of a version, as an immutable set. */
  Set<Algorithm> of(ModelId id) {
    return engines.getOrDefault(id, Set.of());
  }
}
