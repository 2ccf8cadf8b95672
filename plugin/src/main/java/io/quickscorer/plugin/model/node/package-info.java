// SPDX-License-Identifier: Apache-2.0
/** Loads, compiles and releases the models of a node; excludes models and engines that fail. */
@NullMarked
package io.quickscorer.plugin.model.node;

import org.jspecify.annotations.NullMarked;
