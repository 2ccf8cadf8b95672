// SPDX-License-Identifier: Apache-2.0
/** The compiled models of a node: loads, plans, quarantines and releases them. */
@NullMarked
package io.quickscorer.plugin.model.node;

import org.jspecify.annotations.NullMarked;
