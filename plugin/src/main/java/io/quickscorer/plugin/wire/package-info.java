// SPDX-License-Identifier: Apache-2.0
/**
 * What nodes with different builds of the plugin say to each other: each stream begins with the
 * wire version that it is written in, see {@link io.quickscorer.plugin.wire.Wire}. Knows nothing of
 * what the streams hold.
 */
@NullMarked
package io.quickscorer.plugin.wire;

import org.jspecify.annotations.NullMarked;
