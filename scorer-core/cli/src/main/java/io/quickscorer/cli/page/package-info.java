// SPDX-License-Identifier: Apache-2.0
/**
 * The common parts of the commands' reports: HTML pages that need no other file, and their plots.
 */
@NullMarked
package io.quickscorer.cli.page;

import org.jspecify.annotations.NullMarked;
