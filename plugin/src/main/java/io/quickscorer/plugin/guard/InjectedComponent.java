// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import org.opensearch.common.lifecycle.AbstractLifecycleComponent;

/**
 * Base class of components into which the server injects services. A subclass has nothing to start
 * or close.
 */
public abstract class InjectedComponent extends AbstractLifecycleComponent {
  @Override
  protected final void doStart() {}

  @Override
  protected final void doStop() {}

  @Override
  protected final void doClose() {}
}
