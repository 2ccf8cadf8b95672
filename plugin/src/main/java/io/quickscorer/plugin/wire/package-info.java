// SPDX-License-Identifier: Apache-2.0
/**
 * Versions of the streams between nodes with different builds of the plugin. Each stream begins
 * with the wire version in which it is written, see {@link io.quickscorer.plugin.wire.Wire}. Does
 * not depend on the content of the streams.
 */
@NullMarked
package io.quickscorer.plugin.wire;

import org.jspecify.annotations.NullMarked;
