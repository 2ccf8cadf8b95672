// SPDX-License-Identifier: Apache-2.0
/**
 * Models of the cluster. A model is stored completely or not at all, and is loaded on each node
 * before searches use it. A search finds a model by its name, and uses one version of the model
 * until the search ends.
 */
@NullMarked
package io.quickscorer.plugin.model;

import org.jspecify.annotations.NullMarked;
