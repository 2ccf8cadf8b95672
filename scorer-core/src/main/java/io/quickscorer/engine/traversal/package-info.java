// SPDX-License-Identifier: Apache-2.0
/** The engine that walks each tree from its root to an exit leaf. */
@NullMarked
package io.quickscorer.engine.traversal;

import org.jspecify.annotations.NullMarked;
