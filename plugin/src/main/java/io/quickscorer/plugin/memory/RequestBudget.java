// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import org.opensearch.common.lease.Releasable;
import org.opensearch.core.common.breaker.CircuitBreaker;

/**
 * Charges the memory of one search on a node to the server's circuit breaker for requests, before
 * it is allocated, and releases it when the search ends. {@link SearchSettings} contains the
 * limits. Safe for use by several threads.
 */
public final class RequestBudget implements Releasable {
  /** Bytes charged per byte of a query's text with its parameters, for all copies of this text. */
  private static final int RENDERED_FACTOR = 8;

  /** Bytes charged per clause of a query, for the objects that Lucene creates for one term. */
  private static final int CLAUSE_BYTES = 2048;

  private final SearchSettings limits;
  private final MemoryCharge charge;
  private long rendered;
  private long suspended;

  public RequestBudget(CircuitBreaker breaker, SearchSettings limits) {
    this.limits = limits;
    this.charge = MemoryCharge.none(breaker, "<quickscorer request>");
  }

  /** Returns the charge that contains all memory of the search. */
  public MemoryCharge memory() {
    return charge;
  }

  public SearchSettings limits() {
    return limits;
  }

  /**
   * Charges the memory of parameters, before they are inserted into a feature's template.
   *
   * @param bytes the size of the parameters
   * @throws IllegalArgumentException (400) if {@link SearchSettings#MAX_RENDERED_BYTES} is exceeded
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if memory is short
   */
  public synchronized void render(long bytes) {
    SearchSettings.check(
        "bytes of parameter values in all templates of the search's features so far",
        rendered + bytes,
        limits.get(SearchSettings.MAX_RENDERED_BYTES).getBytes(),
        SearchSettings.MAX_RENDERED_BYTES);
    charge(RENDERED_FACTOR * bytes, "<quickscorer rendered templates>");
    rendered += bytes;
  }

  /** Returns how many bytes of parameters were inserted into templates so far. */
  public synchronized long rendered() {
    return rendered;
  }

  /**
   * Charges the memory of additional clauses in the features' queries on a shard.
   *
   * @param clauses the number of the additional clauses
   * @param sum the number of all clauses so far, including the additional ones
   */
  public void clauses(long clauses, long sum) {
    SearchSettings.check(
        "query clauses of all features of the search so far",
        sum,
        limits.get(SearchSettings.MAX_CLAUSES),
        SearchSettings.MAX_CLAUSES);
    charge(clauses * CLAUSE_BYTES, "<quickscorer clauses>");
  }

  /**
   * Checks that the number of features times the number of documents is at most {@link
   * SearchSettings#MAX_VALUES}.
   */
  public void checkValues(long features, long documents) {
    SearchSettings.check(
        "features times documents (" + features + " x " + documents + ")",
        features * documents,
        limits.get(SearchSettings.MAX_VALUES),
        SearchSettings.MAX_VALUES);
  }

  /**
   * Charges memory for a purpose for which this class has no other method.
   *
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if memory is short
   */
  public void charge(long bytes, String what) {
    charge.add(bytes, what);
  }

  /**
   * Releases the charge until {@link #resume} is called, because until then the plugin would not
   * notice the end of the search.
   */
  public synchronized void suspend() {
    suspended += charge.bytes();
    charge.shrinkTo(0);
  }

  /** Restores the charge that {@link #suspend} released, even above the limit. */
  public synchronized void resume() {
    charge.addTaken(suspended);
    suspended = 0;
  }

  @Override
  public void close() {
    charge.close();
  }
}
