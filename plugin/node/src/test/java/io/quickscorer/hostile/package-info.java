/**
 * Attacks on a real node of small heap: requests that exhaust it and requests that are nearly
 * right. Starts from {@link io.quickscorer.hostile.HostileIT}; knows the plugin by its REST API
 * only.
 */
@NullMarked
package io.quickscorer.hostile;

import org.jspecify.annotations.NullMarked;
