// SPDX-License-Identifier: Apache-2.0
/**
 * Checks for all models in a folder that they score exactly as their trainers do. Entry type:
 * {@link io.quickscorer.cli.verdict.ParityChecker}.
 */
@NullMarked
package io.quickscorer.cli.verdict;

import org.jspecify.annotations.NullMarked;
