// SPDX-License-Identifier: Apache-2.0
/** Our own binary format, the only one that the library writes. */
@NullMarked
package io.quickscorer.reader.compact;

import org.jspecify.annotations.NullMarked;
