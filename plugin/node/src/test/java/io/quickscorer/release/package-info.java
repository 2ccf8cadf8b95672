// SPDX-License-Identifier: Apache-2.0
/** What is published, as those who install it take it: {@code mvn -Prelease verify}. */
@NullMarked
package io.quickscorer.release;

import org.jspecify.annotations.NullMarked;
