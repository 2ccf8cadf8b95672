// SPDX-License-Identifier: Apache-2.0
/** From an uploaded file to a model that can be stored: reading, parity, binding of features. */
@NullMarked
package io.quickscorer.plugin.model.upload;

import org.jspecify.annotations.NullMarked;
