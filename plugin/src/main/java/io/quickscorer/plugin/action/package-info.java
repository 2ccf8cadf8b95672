// SPDX-License-Identifier: Apache-2.0
/** One named transport action per operation. */
@NullMarked
package io.quickscorer.plugin.action;

import org.jspecify.annotations.NullMarked;
