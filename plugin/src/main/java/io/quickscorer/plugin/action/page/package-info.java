// SPDX-License-Identifier: Apache-2.0
/** Showing the page on which the plugin can be watched. */
@NullMarked
package io.quickscorer.plugin.action.page;

import org.jspecify.annotations.NullMarked;
