// SPDX-License-Identifier: Apache-2.0
/** Scores of query features over a window, without a scorer per feature: terms are read once. */
@NullMarked
package io.quickscorer.plugin.feature.score;

import org.jspecify.annotations.NullMarked;
