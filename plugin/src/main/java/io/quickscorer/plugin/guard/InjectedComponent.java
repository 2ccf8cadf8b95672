// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import org.opensearch.common.lifecycle.AbstractLifecycleComponent;

/**
 * A component that the server creates when it starts, and into which it injects services that a
 * plugin can get in no other way. It has nothing to start, stop or close.
 */
public abstract class InjectedComponent extends AbstractLifecycleComponent {
  @Override
  protected final void doStart() {}

  @Override
  protected final void doStop() {}

  @Override
  protected final void doClose() {}
}
