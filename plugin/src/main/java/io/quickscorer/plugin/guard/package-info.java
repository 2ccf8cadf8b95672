// SPDX-License-Identifier: Apache-2.0
/** Keeps errors of the plugin's work from the threads of the server, which would halt the node. */
@NullMarked
package io.quickscorer.plugin.guard;

import org.jspecify.annotations.NullMarked;
