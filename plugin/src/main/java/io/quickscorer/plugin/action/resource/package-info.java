// SPDX-License-Identifier: Apache-2.0
/**
 * Actions that put, read, load, activate and delete models, aliases and feature sets, and bring
 * them from another cluster or from the bundled learning-to-rank plugin.
 */
@NullMarked
package io.quickscorer.plugin.action.resource;

import org.jspecify.annotations.NullMarked;
