// SPDX-License-Identifier: Apache-2.0
/** Loads, compiles, quarantines and releases the models of a node. */
@NullMarked
package io.quickscorer.plugin.model.node;

import org.jspecify.annotations.NullMarked;
