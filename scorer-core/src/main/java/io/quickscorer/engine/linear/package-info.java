// SPDX-License-Identifier: Apache-2.0
/** Linear models, term by term. Entry type: {@link io.quickscorer.engine.linear.LinearScorer}. */
@NullMarked
package io.quickscorer.engine.linear;

import org.jspecify.annotations.NullMarked;
