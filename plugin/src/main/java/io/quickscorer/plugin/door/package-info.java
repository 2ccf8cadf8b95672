// SPDX-License-Identifier: Apache-2.0
/**
 * The one door for structures from outside: bodies of requests, the clause, {@code ext}, stored
 * documents, files of a node. {@link io.quickscorer.plugin.door.Door} opens them, {@link
 * io.quickscorer.plugin.door.Input} reads them token by token and charges each container, string
 * and number to a {@link io.quickscorer.plugin.door.HeapBudget}, {@link
 * io.quickscorer.plugin.door.Shape} declares the fields of an object. An architecture rule keeps
 * all other packages from the server's own ways to read a structure at once.
 */
@NullMarked
package io.quickscorer.plugin.door;

import org.jspecify.annotations.NullMarked;
