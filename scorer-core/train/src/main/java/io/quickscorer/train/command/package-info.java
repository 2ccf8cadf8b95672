// SPDX-License-Identifier: Apache-2.0
/** The subcommands of quickscorer that train a model from judgments. */
@NullMarked
package io.quickscorer.train.command;

import org.jspecify.annotations.NullMarked;
