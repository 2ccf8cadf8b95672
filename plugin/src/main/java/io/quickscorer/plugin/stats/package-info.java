// SPDX-License-Identifier: Apache-2.0
/** What a node counts about its models and the searches it rescored. */
@NullMarked
package io.quickscorer.plugin.stats;

import org.jspecify.annotations.NullMarked;
