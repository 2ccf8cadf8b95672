// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.List;

/**
 * The origin of an ensemble, to show to users; nothing is computed from it.
 *
 * @param format the file's format
 * @param version the library's version if the file has it, else empty
 * @param objective the objective as the file spells it, else empty
 * @param notes remarks for the user, e.g. on information that such a file lacks; may be empty
 */
public record ModelSource(
    ModelFormat format, String version, String objective, List<String> notes) {
  public ModelSource {
    notes = List.copyOf(notes);
  }

  /** A source without notes. */
  public ModelSource(ModelFormat format, String version, String objective) {
    this(format, version, objective, List.of());
  }
}
