// SPDX-License-Identifier: Apache-2.0
/** The subcommands of quickscorer for training, judgments from clicks, and migration. */
@NullMarked
package io.quickscorer.train.command;

import org.jspecify.annotations.NullMarked;
