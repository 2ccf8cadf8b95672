// SPDX-License-Identifier: Apache-2.0
/**
 * The REST endpoints under {@code /_plugins/_quickscorer}; {@link
 * io.quickscorer.plugin.rest.Endpoints} lists them with their actions.
 */
@NullMarked
package io.quickscorer.plugin.rest;

import org.jspecify.annotations.NullMarked;
