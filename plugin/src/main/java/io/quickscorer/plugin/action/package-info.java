// SPDX-License-Identifier: Apache-2.0
/**
 * The base classes of transport actions (operations that a node runs under a name). Also the check
 * whether a user may use a model or a feature set in a search.
 */
@NullMarked
package io.quickscorer.plugin.action;

import org.jspecify.annotations.NullMarked;
