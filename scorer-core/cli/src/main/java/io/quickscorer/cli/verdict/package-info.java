// SPDX-License-Identifier: Apache-2.0
/**
 * Checks that models score as their trainers do, for whole folders of models. Entry type: {@link
 * io.quickscorer.cli.verdict.ParityChecker}.
 */
@NullMarked
package io.quickscorer.cli.verdict;

import org.jspecify.annotations.NullMarked;
