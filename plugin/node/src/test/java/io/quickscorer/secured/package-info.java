// SPDX-License-Identifier: Apache-2.0
/**
 * The plugin beside the real security plugin: a node with TLS, users and roles of its own, and what
 * each of them may do and see. Run by the profile {@code security}, which assembles the node's
 * home. {@link io.quickscorer.secured.SecuredNode} starts it.
 */
@NullMarked
package io.quickscorer.secured;

import org.jspecify.annotations.NullMarked;
