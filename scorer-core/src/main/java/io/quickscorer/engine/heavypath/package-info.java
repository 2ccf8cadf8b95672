// SPDX-License-Identifier: Apache-2.0
/**
 * The heavy-path engine. For one document, it compares all splits of a tree at once, and finds the
 * path by a few operations on the bits of the results. {@link
 * io.quickscorer.engine.heavypath.PathProgram} and {@link
 * io.quickscorer.engine.heavypath.TreePieces} explain the terms lane, piece, exit, level and light
 * turn.
 */
@NullMarked
package io.quickscorer.engine.heavypath;

import org.jspecify.annotations.NullMarked;
