// SPDX-License-Identifier: Apache-2.0
/** Catches errors in the plugin's code, because the server halts the node for an uncaught error. */
@NullMarked
package io.quickscorer.plugin.guard;

import org.jspecify.annotations.NullMarked;
