// SPDX-License-Identifier: Apache-2.0
/** The permission to use a model or a feature set in a search, granted by its name. */
@NullMarked
package io.quickscorer.plugin.action.use;

import org.jspecify.annotations.NullMarked;
