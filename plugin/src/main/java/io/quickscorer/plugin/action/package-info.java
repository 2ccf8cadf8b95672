// SPDX-License-Identifier: Apache-2.0
/**
 * The base classes of transport actions, in which each operation is one named action. Also the
 * check whether a user may use a model or a feature set in a search.
 */
@NullMarked
package io.quickscorer.plugin.action;

import org.jspecify.annotations.NullMarked;
