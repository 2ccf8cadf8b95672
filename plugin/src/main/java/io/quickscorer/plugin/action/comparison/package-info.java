// SPDX-License-Identifier: Apache-2.0
/** What tells models from each other in searches: the report, and the clicks that it is made of. */
@NullMarked
package io.quickscorer.plugin.action.comparison;

import org.jspecify.annotations.NullMarked;
