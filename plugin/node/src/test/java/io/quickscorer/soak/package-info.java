// SPDX-License-Identifier: Apache-2.0
/**
 * Clusters of three real nodes that are upgraded, killed and parted under load: {@code mvn -Psoak
 * verify}.
 */
@NullMarked
package io.quickscorer.soak;

import org.jspecify.annotations.NullMarked;
