// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import org.opensearch.common.lease.Releasable;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;

/**
 * The memory that one search takes of a node: bytes are charged to the request breaker before they
 * are allocated and given back all at once when the search is over; sums are compared with the
 * limits. Safe for use by several threads.
 */
public final class RequestBudget implements Releasable {
  /**
   * Bytes per rendered byte: the text as it grows and as a string, the parser's buffer, the query's
   * own copy, and the copy of the shard.
   */
  private static final int RENDERED_FACTOR = 8;

  /** A query of one term with its weight, and what a segment's postings are read with. */
  private static final int CLAUSE_BYTES = 2048;

  private final RequestLimits limits;
  private final MemoryCharge charge;
  private long rendered;
  private long suspended;

  public RequestBudget(CircuitBreaker breaker, RequestLimits limits) {
    this.limits = limits;
    this.charge = MemoryCharge.none(breaker, "<quickscorer request>");
  }

  /**
   * Returns a budget with the limits' defaults and without a charge, for data that does not come
   * from outside.
   */
  public static RequestBudget uncharged() {
    return new RequestBudget(
        new NoopCircuitBreaker(CircuitBreaker.REQUEST), RequestLimits.of(Settings.EMPTY));
  }

  /** Returns the charge of the search. */
  public MemoryCharge memory() {
    return charge;
  }

  public RequestLimits limits() {
    return limits;
  }

  /**
   * Charges for parameters that are about to be put into a feature.
   *
   * @throws IllegalArgumentException (400) if that is more than a request may have
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if there is no memory
   */
  public synchronized void render(long bytes) {
    RequestLimits.check(
        "bytes of parameters in this search's features so far",
        rendered + bytes,
        limits.get(RequestLimits.MAX_RENDERED_BYTES).getBytes(),
        RequestLimits.MAX_RENDERED_BYTES);
    charge(RENDERED_FACTOR * bytes, "<quickscorer rendered templates>");
    rendered += bytes;
  }

  /** Returns the bytes rendered so far. */
  public synchronized long rendered() {
    return rendered;
  }

  /**
   * Charges for the clauses of a shard's queries.
   *
   * @param clauses number of additional clauses
   * @param sum number of all clauses so far, including these
   */
  public void clauses(long clauses, long sum) {
    RequestLimits.check(
        "clauses of the queries of this search's features so far",
        sum,
        limits.get(RequestLimits.MAX_CLAUSES),
        RequestLimits.MAX_CLAUSES);
    charge(clauses * CLAUSE_BYTES, "<quickscorer clauses>");
  }

  /** Holds a window's size against the limit. */
  public void checkValues(long features, long documents) {
    RequestLimits.check(
        "features times documents (" + features + " x " + documents + ")",
        features * documents,
        limits.get(RequestLimits.MAX_VALUES),
        RequestLimits.MAX_VALUES);
  }

  /**
   * Charges for anything else.
   *
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if there is no memory
   */
  public void charge(long bytes, String what) {
    charge.add(bytes, what);
  }

  /**
   * Releases the charge while the end of the search cannot be observed; {@link #resume} follows.
   */
  public synchronized void suspend() {
    suspended += charge.bytes();
    charge.shrinkTo(0);
  }

  /**
   * Charges again the bytes that {@link #suspend} released; they are allocated, so that this can't
   * fail.
   */
  public synchronized void resume() {
    charge.addTaken(suspended);
    suspended = 0;
  }

  @Override
  public void close() {
    charge.close();
  }
}
