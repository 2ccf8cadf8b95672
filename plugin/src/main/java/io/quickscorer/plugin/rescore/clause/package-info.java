// SPDX-License-Identifier: Apache-2.0
/** The {@code quickscorer} clause as data: the form of requests, and the form that shards run. */
@NullMarked
package io.quickscorer.plugin.rescore.clause;

import org.jspecify.annotations.NullMarked;
