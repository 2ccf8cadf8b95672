// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.testing;

import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.SearchSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;

/** Creates budgets with default limits that charge no breaker. */
public final class FreeBudget {
  private FreeBudget() {}

  public static RequestBudget create() {
    return new RequestBudget(
        new NoopCircuitBreaker(CircuitBreaker.REQUEST), SearchSettings.of(Settings.EMPTY));
  }
}
