// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import org.opensearch.common.lifecycle.AbstractLifecycleComponent;

/**
 * An object that the server creates, so that it injects its services there; it does not pass them
 * to the plugin in another way.
 */
public abstract class Wired extends AbstractLifecycleComponent {
  @Override
  protected final void doStart() {}

  @Override
  protected final void doStop() {}

  @Override
  protected final void doClose() {}
}
