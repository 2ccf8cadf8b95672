// SPDX-License-Identifier: Apache-2.0
/** The common parts of commands' reports: self-contained HTML pages, and their plots. */
@NullMarked
package io.quickscorer.cli.page;

import org.jspecify.annotations.NullMarked;
