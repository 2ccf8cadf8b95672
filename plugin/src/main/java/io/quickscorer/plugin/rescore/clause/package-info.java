// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code quickscorer} clause as data: its fields in the request, and the form in which shards
 * run it.
 */
@NullMarked
package io.quickscorer.plugin.rescore.clause;

import org.jspecify.annotations.NullMarked;
