// SPDX-License-Identifier: Apache-2.0
/** Models, feature sets and aliases on their way from one cluster to another. */
@NullMarked
package io.quickscorer.plugin.action.transfer;

import org.jspecify.annotations.NullMarked;
