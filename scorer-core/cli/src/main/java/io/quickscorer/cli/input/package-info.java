// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the input of a command: the model's file, and documents in tables or SVMlight lines. A
 * {@link io.quickscorer.cli.input.Failure} ends the program if the input is not valid.
 */
@NullMarked
package io.quickscorer.cli.input;

import org.jspecify.annotations.NullMarked;
