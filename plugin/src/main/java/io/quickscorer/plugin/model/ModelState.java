// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.wire.WireRecord;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A model on one node.
 *
 * @param id the version
 * @param phase how far loading got
 * @param compiledShare how far compiling got, 0 to 1
 * @param current whether searches that start now get this version
 * @param engine the engines that score, and from how many documents on; empty until loaded
 * @param bytes of the ensemble and its compiled form; 0 until loaded
 * @param activeUses shard windows and explanations that use it at this moment
 * @param quarantined the engines that are not used for it here, because they scored it wrong
 * @param reason why loading failed, else empty
 */
public record ModelState(
    ModelId id,
    Phase phase,
    double compiledShare,
    boolean current,
    String engine,
    long bytes,
    int activeUses,
    List<String> quarantined,
    String reason)
    implements WireRecord, ToXContentFragment {
  /** How far loading got. */
  public enum Phase {
    LOADING,
    LOADED,
    FAILED
  }

  /** Returns this state with the version as the current one. */
  public ModelState asCurrent() {
    return new ModelState(
        id, phase, compiledShare, true, engine, bytes, activeUses, quarantined, reason);
  }

  /** Returns this state with the algorithms that computed a wrong score. */
  public ModelState with(Set<Algorithm> wrong) {
    List<String> labels = wrong.stream().map(Algorithm::label).sorted().toList();
    return new ModelState(
        id, phase, compiledShare, current, engine, bytes, activeUses, labels, reason);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.field("version", id.version());
    builder.field("state", phase.name().toLowerCase(Locale.ROOT));
    switch (phase) {
      case LOADING -> builder.field("compiled_share", compiledShare);
      case LOADED -> {
        builder
            .field("current", current)
            .field("engine", engine)
            .field("bytes", bytes)
            .field("active_uses", activeUses);
        if (!quarantined.isEmpty()) {
          builder.field("quarantined_engines", quarantined);
        }
      }
      case FAILED -> builder.field("reason", reason);
    }
    return builder;
  }
}
