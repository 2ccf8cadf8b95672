// SPDX-License-Identifier: Apache-2.0
/**
 * Attacks on a real node of small heap: requests that exhaust it, that lack rights, that are nearly
 * right, and damage to its storage. Starts from {@link io.quickscorer.hostile.HostileIT}; knows the
 * plugin by its REST API only.
 */
@NullMarked
package io.quickscorer.hostile;

import org.jspecify.annotations.NullMarked;
