// SPDX-License-Identifier: Apache-2.0
/** Putting, reading, activating and deleting aliases of models. */
@NullMarked
package io.quickscorer.plugin.action.alias;

import org.jspecify.annotations.NullMarked;
