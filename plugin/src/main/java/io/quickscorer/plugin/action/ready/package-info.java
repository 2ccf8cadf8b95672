// SPDX-License-Identifier: Apache-2.0
/** Whether nodes are ready for searches. */
@NullMarked
package io.quickscorer.plugin.action.ready;

import org.jspecify.annotations.NullMarked;
