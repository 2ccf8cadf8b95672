// SPDX-License-Identifier: Apache-2.0
/** Stores models and feature sets as documents of a hidden index, with checksums. */
@NullMarked
package io.quickscorer.plugin.model.store;

import org.jspecify.annotations.NullMarked;
