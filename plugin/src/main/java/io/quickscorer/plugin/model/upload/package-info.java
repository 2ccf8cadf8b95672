// SPDX-License-Identifier: Apache-2.0
/** Turns an uploaded file into a model that can be stored: reading, parity, binding of features. */
@NullMarked
package io.quickscorer.plugin.model.upload;

import org.jspecify.annotations.NullMarked;
