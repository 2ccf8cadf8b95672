// SPDX-License-Identifier: Apache-2.0
/**
 * The input of a command: the model's file, and documents in tables or SVMlight lines. If one is
 * not valid, a {@link io.quickscorer.cli.input.Failure} ends the program.
 */
@NullMarked
package io.quickscorer.cli.input;

import org.jspecify.annotations.NullMarked;
