// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import org.opensearch.plugins.ExtensiblePlugin;
import org.opensearch.plugins.Plugin;

/**
 * Stands in for a module of the server that another plugin extends and that the registry does not
 * have: {@code rule-framework} of the security plugin, {@code transport-grpc} of the k-NN plugin.
 * It does nothing: what those modules do is not part of our tests. The build packs it into the
 * homes of nodes with these plugins.
 */
public final class EmptyModule extends Plugin implements ExtensiblePlugin {}
