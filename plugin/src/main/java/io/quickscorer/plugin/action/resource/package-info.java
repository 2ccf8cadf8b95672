// SPDX-License-Identifier: Apache-2.0
/**
 * Actions that store, read, load, activate and delete models, aliases and feature sets, and import
 * them from another cluster or from the bundled learning-to-rank plugin.
 */
@NullMarked
package io.quickscorer.plugin.action.resource;

import org.jspecify.annotations.NullMarked;
