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
 * The state of one version of a model on one node.
 *
 * @param compiledShare the fraction of the model that is compiled, 0 to 1
 * @param current whether new searches use this version
 * @param engine the engines (scoring algorithms) in use, each with the smallest number of documents
 *     for which it is used; empty if the version is not loaded
 * @param bytes the heap bytes of the loaded model; 0 if not loaded
 * @param activeUses the number of computations of scores and explanations that use the version now
 * @param quarantined the engines that are not used for the version, because their scores were wrong
 * @param reason the reason of a failed load; empty if there is none
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
  /** The progress of a node in loading a version of a model. */
  public enum Phase {
    LOADING,
    LOADED,
    FAILED
  }

  /** Returns a copy that is marked as the version that new searches use. */
  public ModelState asCurrent() {
    return new ModelState(
        id, phase, compiledShare, true, engine, bytes, activeUses, quarantined, reason);
  }

  /**
   * Returns a copy with other quarantined engines.
   *
   * @param wrong the engines (scoring algorithms) that the node does not use for the version,
   *     because their scores were wrong
   */
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
