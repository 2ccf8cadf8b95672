// SPDX-License-Identifier: Apache-2.0
/** Parts that the reports of several commands share. A report is a self-contained HTML page. */
@NullMarked
package io.quickscorer.cli.page;

import org.jspecify.annotations.NullMarked;
