// SPDX-License-Identifier: Apache-2.0
/**
 * Windows (the hits to rescore), the columns of their feature values, and threads that share the
 * work.
 */
@NullMarked
package io.quickscorer.plugin.feature.window;

import org.jspecify.annotations.NullMarked;
