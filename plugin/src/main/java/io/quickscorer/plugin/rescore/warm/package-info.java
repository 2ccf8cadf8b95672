// SPDX-License-Identifier: Apache-2.0
/** Searches that a node runs before its users do, so that their searches run compiled code. */
@NullMarked
package io.quickscorer.plugin.rescore.warm;

import org.jspecify.annotations.NullMarked;
