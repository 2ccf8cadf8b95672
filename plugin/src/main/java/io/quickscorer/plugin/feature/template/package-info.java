// SPDX-License-Identifier: Apache-2.0
/** Queries as templates over a request's parameters, and the limits of their size. */
@NullMarked
package io.quickscorer.plugin.feature.template;

import org.jspecify.annotations.NullMarked;
