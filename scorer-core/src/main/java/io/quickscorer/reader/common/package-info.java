// SPDX-License-Identifier: Apache-2.0
/**
 * Code that several formats share: names for features that have none, memory of category sets, and
 * changes of a model's features.
 */
@NullMarked
package io.quickscorer.reader.common;

import org.jspecify.annotations.NullMarked;
