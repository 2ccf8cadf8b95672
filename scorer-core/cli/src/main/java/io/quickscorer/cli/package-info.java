// SPDX-License-Identifier: Apache-2.0
/**
 * The command line, {@code quickscorer COMMAND}, with one class per command. Entry type: {@link
 * io.quickscorer.cli.QuickScorerCommand}. Another module can add commands through {@link
 * io.quickscorer.cli.Subcommands}. The library must not import this package nor picocli.
 */
@NullMarked
package io.quickscorer.cli;

import org.jspecify.annotations.NullMarked;
