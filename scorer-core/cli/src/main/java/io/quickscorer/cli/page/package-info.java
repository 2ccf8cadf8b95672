// SPDX-License-Identifier: Apache-2.0
/**
 * Parts that several commands share: JSON output, and the parts of reports. A report is a
 * self-contained HTML page.
 */
@NullMarked
package io.quickscorer.cli.page;

import org.jspecify.annotations.NullMarked;
