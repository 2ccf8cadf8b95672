// SPDX-License-Identifier: Apache-2.0
/** Loads the libraries of trainers and of other scorers. */
@NullMarked
package io.quickscorer.cli.natives;

import org.jspecify.annotations.NullMarked;
