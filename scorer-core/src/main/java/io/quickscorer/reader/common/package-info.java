// SPDX-License-Identifier: Apache-2.0
/** Code that all formats share: the description of a format, and the choice of one output. */
@NullMarked
package io.quickscorer.reader.common;

import org.jspecify.annotations.NullMarked;
