// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The engines (scoring algorithms) that computed wrong scores for a model on this node, and are
 * therefore not used for this model. An entry remains until the node stops, because the cause is
 * probably a defect of the JVM, which remains too. Safe for use by several threads.
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

  /** Returns an immutable set of the engines that must not be used for a version. */
  Set<Algorithm> of(ModelId id) {
    return engines.getOrDefault(id, Set.of());
  }
}
