// SPDX-License-Identifier: Apache-2.0
/** Catches errors in the plugin's work, because the server would halt the node for them. */
@NullMarked
package io.quickscorer.plugin.guard;

import org.jspecify.annotations.NullMarked;
