// SPDX-License-Identifier: Apache-2.0
/** Our own binary format, the only one that is written. */
@NullMarked
package io.quickscorer.reader.compact;

import org.jspecify.annotations.NullMarked;
