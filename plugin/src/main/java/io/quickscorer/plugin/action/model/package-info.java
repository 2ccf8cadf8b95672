// SPDX-License-Identifier: Apache-2.0
/** Uploading, reading, loading, activating, repairing and deleting models. */
@NullMarked
package io.quickscorer.plugin.action.model;

import org.jspecify.annotations.NullMarked;
