// SPDX-License-Identifier: Apache-2.0
/** Actions that put, read and delete feature sets. */
@NullMarked
package io.quickscorer.plugin.action.featureset;

import org.jspecify.annotations.NullMarked;
