// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import org.opensearch.common.lifecycle.AbstractLifecycleComponent;

/**
 * Base class of components that only receive services of the server; nothing is started or closed.
 */
public abstract class InjectedComponent extends AbstractLifecycleComponent {
  @Override
  protected final void doStart() {}

  @Override
  protected final void doStop() {}

  @Override
  protected final void doClose() {}
}
