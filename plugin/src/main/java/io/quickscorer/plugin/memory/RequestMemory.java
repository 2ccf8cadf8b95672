// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import org.apache.lucene.util.SetOnce;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.lifecycle.AbstractLifecycleComponent;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;

/** Creates the budgets of this node's requests. Safe for use by several threads. */
public final class RequestMemory {
  private final RequestLimits limits;
  private final SetOnce<CircuitBreaker> breaker = new SetOnce<>();

  public RequestMemory(RequestLimits limits) {
    this.limits = limits;
  }

  public RequestLimits limits() {
    return limits;
  }

  /** Returns the breaker of all requests of the node, including the server's own. */
  public CircuitBreaker breaker() {
    return breaker.get();
  }

  /** Returns a budget for one request; the caller closes it. */
  public RequestBudget budget() {
    return new RequestBudget(breaker(), limits);
  }

  /** Returns an empty charge; the caller closes it. */
  public MemoryCharge charge(String label) {
    return MemoryCharge.none(breaker(), label);
  }

  /**
   * Receives the server's breakers. The server injects them only into its own objects and this one.
   */
  public static final class Wiring extends AbstractLifecycleComponent {
    @Inject
    public Wiring(RequestMemory memory, CircuitBreakerService breakers) {
      memory.breaker.set(breakers.getBreaker(CircuitBreaker.REQUEST));
    }

    @Override
    protected void doStart() {}

    @Override
    protected void doStop() {}

    @Override
    protected void doClose() {}
  }
}
