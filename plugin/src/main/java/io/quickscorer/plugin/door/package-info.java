// SPDX-License-Identifier: Apache-2.0
/**
 * Reads all structured data from outside: request bodies, rescore clauses, {@code ext}, stored
 * documents and files of a node. {@link io.quickscorer.plugin.door.Door} starts the reading. {@link
 * io.quickscorer.plugin.door.Input} reads token by token, and counts memory with a {@link
 * io.quickscorer.plugin.door.HeapBudget}. {@link io.quickscorer.plugin.door.Shape} declares the
 * fields of an object. Other packages must not use the server's methods that read JSON without
 * limits; an architecture rule checks this.
 */
@NullMarked
package io.quickscorer.plugin.door;

import org.jspecify.annotations.NullMarked;
