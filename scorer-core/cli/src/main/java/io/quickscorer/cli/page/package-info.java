// SPDX-License-Identifier: Apache-2.0
/** Common parts of the commands' reports, which are self-contained HTML pages with plots. */
@NullMarked
package io.quickscorer.cli.page;

import org.jspecify.annotations.NullMarked;
