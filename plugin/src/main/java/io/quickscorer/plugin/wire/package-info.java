// SPDX-License-Identifier: Apache-2.0
/**
 * Streams between nodes: {@link io.quickscorer.plugin.wire.WireRecord records} of which each
 * component is written and read, and their versions. Each stream begins with the wire version in
 * which it is written, see {@link io.quickscorer.plugin.wire.Wire}.
 */
@NullMarked
package io.quickscorer.plugin.wire;

import org.jspecify.annotations.NullMarked;
