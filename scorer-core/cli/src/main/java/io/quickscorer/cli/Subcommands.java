// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import java.util.List;

/** A service interface by which another module adds subcommands to the program. */
public interface Subcommands {
  /** Returns the subcommands: objects with picocli's annotations. */
  List<Object> commands();
}
