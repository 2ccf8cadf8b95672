// SPDX-License-Identifier: Apache-2.0
/** What the reports of commands have in common: HTML pages that stand alone, and their plots. */
@NullMarked
package io.quickscorer.cli.page;

import org.jspecify.annotations.NullMarked;
