// SPDX-License-Identifier: Apache-2.0
/**
 * Models as the cluster keeps them: stored whole or not at all, loaded ahead of use on each node,
 * looked up by name and pinned by version.
 */
@NullMarked
package io.quickscorer.plugin.model;

import org.jspecify.annotations.NullMarked;
