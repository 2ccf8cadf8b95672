// SPDX-License-Identifier: Apache-2.0
/**
 * A plugin for the node under attack, which grants actions by a header. It is packed from these
 * classes alone, and knows nothing of the others.
 */
@NullMarked
package io.quickscorer.hostile.rights;

import org.jspecify.annotations.NullMarked;
