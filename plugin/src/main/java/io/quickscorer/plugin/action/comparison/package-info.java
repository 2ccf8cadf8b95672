// SPDX-License-Identifier: Apache-2.0
/** How far models agree in searches, and which models aliases stood for. */
@NullMarked
package io.quickscorer.plugin.action.comparison;

import org.jspecify.annotations.NullMarked;
