// SPDX-License-Identifier: Apache-2.0
/** The counters of a node for its models and the searches that it rescored. */
@NullMarked
package io.quickscorer.plugin.stats;

import org.jspecify.annotations.NullMarked;
