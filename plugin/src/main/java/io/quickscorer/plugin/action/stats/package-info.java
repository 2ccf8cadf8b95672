// SPDX-License-Identifier: Apache-2.0
/** What each node counts, drift against training, and importance of features. */
@NullMarked
package io.quickscorer.plugin.action.stats;

import org.jspecify.annotations.NullMarked;
