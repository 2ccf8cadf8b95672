// SPDX-License-Identifier: Apache-2.0
/**
 * What several formats share: names for features that have none, memory of category sets, and the
 * change of a model's features.
 */
@NullMarked
package io.quickscorer.reader.common;

import org.jspecify.annotations.NullMarked;
