// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import java.util.List;

/** Subcommands that another module adds to the program; found as a service. */
public interface Subcommands {
  /** Returns objects with picocli's annotations. */
  List<Object> commands();
}
