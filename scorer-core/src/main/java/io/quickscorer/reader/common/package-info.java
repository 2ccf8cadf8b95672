// SPDX-License-Identifier: Apache-2.0
/**
 * Code that several formats share: the description of a format, names for features that have none,
 * and the choice of one output.
 */
@NullMarked
package io.quickscorer.reader.common;

import org.jspecify.annotations.NullMarked;
