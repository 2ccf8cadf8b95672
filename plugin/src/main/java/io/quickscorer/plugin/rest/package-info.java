// SPDX-License-Identifier: Apache-2.0
/**
 * The endpoints under {@code /_plugins/_quickscorer}: {@link io.quickscorer.plugin.rest.Endpoints}
 * has a row for each, with the action that it has carried out.
 */
@NullMarked
package io.quickscorer.plugin.rest;

import org.jspecify.annotations.NullMarked;
