// SPDX-License-Identifier: Apache-2.0
/** Searches that a node makes before its users do, so that theirs meet compiled code. */
@NullMarked
package io.quickscorer.plugin.rescore.warm;

import org.jspecify.annotations.NullMarked;
