// SPDX-License-Identifier: Apache-2.0
/** Imports models and feature sets of the bundled learning-to-rank plugin. */
@NullMarked
package io.quickscorer.plugin.action.imports;

import org.jspecify.annotations.NullMarked;
