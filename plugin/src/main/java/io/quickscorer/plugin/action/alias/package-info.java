/** Putting, reading, activating and deleting aliases of models. */
@NullMarked
package io.quickscorer.plugin.action.alias;

import org.jspecify.annotations.NullMarked;
