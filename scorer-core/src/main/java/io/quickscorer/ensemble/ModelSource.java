// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.List;

/**
 * The origin of an ensemble, which is shown to users and has no influence on scores.
 *
 * @param format the format of the file
 * @param version the version of the trainer's library; empty if the file does not contain it
 * @param objective the objective as the file spells it; empty if the file does not contain it
 * @param notes remarks that are shown to users, for example on information that the file lacks; may
 *     be empty
 */
public record ModelSource(
    ModelFormat format, String version, String objective, List<String> notes) {
  public ModelSource {
    notes = List.copyOf(notes);
  }

  /** Creates a source without notes. */
  public ModelSource(ModelFormat format, String version, String objective) {
    this(format, version, objective, List.of());
  }
}
