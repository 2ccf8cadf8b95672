// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.List;

/**
 * Where an ensemble came from, for people; nothing is computed from it.
 *
 * @param format the file's format
 * @param version the library's version as far as the file tells, else empty
 * @param objective the objective as the file spells it, else empty
 * @param notes what a user should know of such a file, e.g. what it has lost; may be empty
 */
public record ModelSource(
    ModelFormat format, String version, String objective, List<String> notes) {
  public ModelSource {
    notes = List.copyOf(notes);
  }

  /** A source of which nothing special is to be said. */
  public ModelSource(ModelFormat format, String version, String objective) {
    this(format, version, objective, List.of());
  }
}
