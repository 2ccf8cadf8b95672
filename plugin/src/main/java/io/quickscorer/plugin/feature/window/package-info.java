// SPDX-License-Identifier: Apache-2.0
/** The hits of a window by segment, and the columns that are filled for them. */
@NullMarked
package io.quickscorer.plugin.feature.window;

import org.jspecify.annotations.NullMarked;
