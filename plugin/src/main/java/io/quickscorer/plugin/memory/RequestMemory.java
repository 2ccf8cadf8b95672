// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import org.apache.lucene.util.SetOnce;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.lifecycle.AbstractLifecycleComponent;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;

/** Gives out the budgets of this node's requests. Safe for use by several threads. */
public final class RequestMemory {
  private final RequestLimits limits;
  private final SetOnce<CircuitBreaker> breaker = new SetOnce<>();

  public RequestMemory(RequestLimits limits) {
    this.limits = limits;
  }

  public RequestLimits limits() {
    return limits;
  }

  /** The breaker of all requests of the node, the server's own too. */
  public CircuitBreaker breaker() {
    return breaker.get();
  }

  /** A budget for one request, for the caller to close. */
  public RequestBudget budget() {
    return new RequestBudget(breaker(), limits);
  }

  /** A charge that holds nothing yet, for the caller to close. */
  public MemoryCharge charge(String label) {
    return MemoryCharge.none(breaker(), label);
  }

  /** A server makes its breakers known to what it injects, and to nothing else of a plugin. */
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
