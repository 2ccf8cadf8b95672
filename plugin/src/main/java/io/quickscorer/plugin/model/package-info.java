// SPDX-License-Identifier: Apache-2.0
/**
 * Models in the cluster. They are stored completely or not at all, loaded on each node before they
 * are used, found by name and pinned by version.
 */
@NullMarked
package io.quickscorer.plugin.model;

import org.jspecify.annotations.NullMarked;
