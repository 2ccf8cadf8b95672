// SPDX-License-Identifier: Apache-2.0
/**
 * Turns an uploaded file into a model that can be stored: reads and compiles it, maps its features
 * to a feature set, and checks its scores.
 */
@NullMarked
package io.quickscorer.plugin.model.upload;

import org.jspecify.annotations.NullMarked;
