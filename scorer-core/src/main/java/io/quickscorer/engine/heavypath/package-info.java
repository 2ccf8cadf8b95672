// SPDX-License-Identifier: Apache-2.0
/**
 * The heavy-path engine. For one document, it compares all splits of a tree at once. A few
 * operations on the bits of the results then find the path. {@link
 * io.quickscorer.engine.heavypath.PathProgram} and {@link
 * io.quickscorer.engine.heavypath.TreePieces} explain the terms lane, piece, exit, level and light
 * turn.
 */
@NullMarked
package io.quickscorer.engine.heavypath;

import org.jspecify.annotations.NullMarked;
