// SPDX-License-Identifier: Apache-2.0
/**
 * The common forms of the transport actions, one action with a name per operation; and the check
 * whether a user may use a model or a feature set in a search.
 */
@NullMarked
package io.quickscorer.plugin.action;

import org.jspecify.annotations.NullMarked;
