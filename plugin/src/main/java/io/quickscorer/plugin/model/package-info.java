// SPDX-License-Identifier: Apache-2.0
/**
 * Models of the cluster. A model is stored completely or not at all, is loaded on each node before
 * searches use it, and is found by its name; a search uses one version of it until its end.
 */
@NullMarked
package io.quickscorer.plugin.model;

import org.jspecify.annotations.NullMarked;
