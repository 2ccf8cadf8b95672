// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.secured;

import org.opensearch.plugins.ExtensiblePlugin;
import org.opensearch.plugins.Plugin;

/**
 * Stands in for the server's module {@code rule-framework}, which the security plugin extends and
 * the registry does not have. It does nothing: rules of that module are not part of our tests. The
 * build packs it into the secured node's home.
 */
public final class RuleFrameworkModule extends Plugin implements ExtensiblePlugin {}
