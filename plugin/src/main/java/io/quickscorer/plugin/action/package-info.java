// SPDX-License-Identifier: Apache-2.0
/**
 * One named transport action per operation: their common forms, and the permission to use a model
 * or a feature set in a search.
 */
@NullMarked
package io.quickscorer.plugin.action;

import org.jspecify.annotations.NullMarked;
