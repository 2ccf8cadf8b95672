// SPDX-License-Identifier: Apache-2.0
/** The stored form of models and feature sets in the hidden index, with its checksums. */
@NullMarked
package io.quickscorer.plugin.model.store;

import org.jspecify.annotations.NullMarked;
