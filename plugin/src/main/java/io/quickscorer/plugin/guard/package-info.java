// SPDX-License-Identifier: Apache-2.0
/**
 * Catches errors in the plugin's work before the server's threads get them, because the server
 * would halt the node.
 */
@NullMarked
package io.quickscorer.plugin.guard;

import org.jspecify.annotations.NullMarked;
