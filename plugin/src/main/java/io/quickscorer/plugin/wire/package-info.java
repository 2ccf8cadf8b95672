// SPDX-License-Identifier: Apache-2.0
/**
 * Writes and reads the data that nodes send to each other, as {@link
 * io.quickscorer.plugin.wire.WireRecord records}. Each stream starts with the version of its
 * format, see {@link io.quickscorer.plugin.wire.Wire}.
 */
@NullMarked
package io.quickscorer.plugin.wire;

import org.jspecify.annotations.NullMarked;
