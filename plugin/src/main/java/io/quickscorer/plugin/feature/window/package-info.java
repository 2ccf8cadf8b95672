// SPDX-License-Identifier: Apache-2.0
/** The hits of a window by segment, and their columns. */
@NullMarked
package io.quickscorer.plugin.feature.window;

import org.jspecify.annotations.NullMarked;
