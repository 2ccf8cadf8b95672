// SPDX-License-Identifier: Apache-2.0
/**
 * Reads all structured data from outside: request bodies, rescore clauses, {@code ext}, stored
 * documents and files of a node. {@link io.quickscorer.plugin.door.Door} starts the reading. {@link
 * io.quickscorer.plugin.door.Input} reads token by token, and charges memory to a {@link
 * io.quickscorer.plugin.door.HeapBudget}. {@link io.quickscorer.plugin.door.Shape} declares the
 * fields of an object. An architecture rule forbids other packages to use the server's methods that
 * read a whole structure without limits.
 */
@NullMarked
package io.quickscorer.plugin.door;

import org.jspecify.annotations.NullMarked;
