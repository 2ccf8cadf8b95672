// SPDX-License-Identifier: Apache-2.0
/**
 * What a command is given: the model's file, the documents in tables or SVMlight lines, and the
 * {@link io.quickscorer.cli.input.Failure} that ends the program where they are not fit.
 */
@NullMarked
package io.quickscorer.cli.input;

import org.jspecify.annotations.NullMarked;
