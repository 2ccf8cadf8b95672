// SPDX-License-Identifier: Apache-2.0
/**
 * The package in which the plugin reads all structured data from outside: bodies of requests, the
 * rescore clause, {@code ext}, stored documents and files of a node. {@link
 * io.quickscorer.plugin.door.Door} starts the reading. {@link io.quickscorer.plugin.door.Input}
 * reads token by token and charges each container, string and number to a {@link
 * io.quickscorer.plugin.door.HeapBudget}. {@link io.quickscorer.plugin.door.Shape} declares the
 * fields of an object. An architecture rule forbids all other packages to use the server's methods
 * that read a whole structure without limits.
 */
@NullMarked
package io.quickscorer.plugin.door;

import org.jspecify.annotations.NullMarked;
