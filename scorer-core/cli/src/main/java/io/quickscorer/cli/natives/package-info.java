// SPDX-License-Identifier: Apache-2.0
/** How native libraries of trainers are loaded. */
@NullMarked
package io.quickscorer.cli.natives;

import org.jspecify.annotations.NullMarked;
