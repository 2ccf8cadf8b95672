// SPDX-License-Identifier: Apache-2.0
/**
 * Computes scores of query features over a window without one scorer per feature. Terms are read
 * once.
 */
@NullMarked
package io.quickscorer.plugin.feature.score;

import org.jspecify.annotations.NullMarked;
