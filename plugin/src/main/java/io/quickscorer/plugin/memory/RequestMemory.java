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

  /** Returns the server's circuit breaker for requests, which all requests of the node share. */
  public CircuitBreaker breaker() {
    return breaker.get();
  }

  /** Returns the memory budget of one request. The caller must close it. */
  public RequestBudget budget() {
    return new RequestBudget(breaker(), limits);
  }

  /**
   * Returns a charge of 0 bytes. The caller must close it.
   *
   * @param label the purpose of the memory, for messages
   */
  public MemoryCharge charge(String label) {
    return MemoryCharge.none(breaker(), label);
  }

  /**
   * Receives the server's circuit breakers, which the server passes to plugins only by injection.
   */
  public static final class Wiring extends InjectedComponent {
    @Inject
    public Wiring(RequestMemory memory, CircuitBreakerService breakers) {
      memory.breaker.set(breakers.getBreaker(CircuitBreaker.REQUEST));
    }
  }
}
