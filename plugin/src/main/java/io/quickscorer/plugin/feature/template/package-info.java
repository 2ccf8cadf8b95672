// SPDX-License-Identifier: Apache-2.0
/**
 * Templates of queries, which are filled with the parameters of a request, and the limits of their
 * size.
 */
@NullMarked
package io.quickscorer.plugin.feature.template;

import org.jspecify.annotations.NullMarked;
