// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import io.quickscorer.plugin.guard.InjectedComponent;
import org.apache.lucene.util.SetOnce;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;

/** Creates the memory budgets of requests on this node. Safe for use by several threads. */
public final class RequestMemory {
  private final SearchSettings limits;
  private final SetOnce<CircuitBreaker> breaker = new SetOnce<>();

  public RequestMemory(SearchSettings limits) {
    this.limits = limits;
  }

  public SearchSettings limits() {
    return limits;
  }

  /** Returns the server's request breaker, which all requests of the node share. */
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

  /** Receives the server's breakers by injection; a plugin gets them in no other way. */
  public static final class Wiring extends InjectedComponent {
    @Inject
    public Wiring(RequestMemory memory, CircuitBreakerService breakers) {
      memory.breaker.set(breakers.getBreaker(CircuitBreaker.REQUEST));
    }
  }
}
