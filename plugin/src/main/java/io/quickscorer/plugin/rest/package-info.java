// SPDX-License-Identifier: Apache-2.0
/** Thin REST handlers under {@code /_plugins/_quickscorer}, one per transport action. */
@NullMarked
package io.quickscorer.plugin.rest;

import org.jspecify.annotations.NullMarked;
