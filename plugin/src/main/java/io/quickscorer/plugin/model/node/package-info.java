// SPDX-License-Identifier: Apache-2.0
/** The models that are compiled on a node, and what loads, plans, quarantines and releases them. */
@NullMarked
package io.quickscorer.plugin.model.node;

import org.jspecify.annotations.NullMarked;
