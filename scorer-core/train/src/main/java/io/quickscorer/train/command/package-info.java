// SPDX-License-Identifier: Apache-2.0
/** The subcommands of quickscorer that make a model out of judgments. */
@NullMarked
package io.quickscorer.train.command;

import org.jspecify.annotations.NullMarked;
