// SPDX-License-Identifier: Apache-2.0
/**
 * The states of the {@code quickscorer} clause while the server prepares ("rewrites") a search,
 * from the request's text to the form that shards run.
 */
@NullMarked
package io.quickscorer.plugin.rescore.rewrite;

import org.jspecify.annotations.NullMarked;
