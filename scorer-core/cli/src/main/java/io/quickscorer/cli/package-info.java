// SPDX-License-Identifier: Apache-2.0
/**
 * The command line: {@code quickscorer score|explain|bench MODEL DATA}. Entry type: {@link
 * io.quickscorer.cli.QuickScorerCommand}. Nothing else imports this package; it is the only user of
 * picocli.
 */
@NullMarked
package io.quickscorer.cli;

import org.jspecify.annotations.NullMarked;
