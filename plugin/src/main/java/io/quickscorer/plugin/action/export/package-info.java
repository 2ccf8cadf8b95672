// SPDX-License-Identifier: Apache-2.0
/**
 * Actions that read documents through a feature set for the user: training files and validation.
 */
@NullMarked
package io.quickscorer.plugin.action.export;

import org.jspecify.annotations.NullMarked;
