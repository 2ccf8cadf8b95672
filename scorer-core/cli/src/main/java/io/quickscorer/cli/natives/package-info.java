// SPDX-License-Identifier: Apache-2.0
/** Loads native libraries that trainers contain. */
@NullMarked
package io.quickscorer.cli.natives;

import org.jspecify.annotations.NullMarked;
