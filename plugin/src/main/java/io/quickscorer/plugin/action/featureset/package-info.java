// SPDX-License-Identifier: Apache-2.0
/** Putting, reading and deleting feature sets. */
@NullMarked
package io.quickscorer.plugin.action.featureset;

import org.jspecify.annotations.NullMarked;
