// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.List;
import org.opensearch.test.OpenSearchTestCase;

/** A plan shrinks to the steps without which it does not fail. */
public class ShrinkerTests extends OpenSearchTestCase {
  public void testOnlyWhatMattersRemains() {
    Plan plan = Plan.of(randomLong());
    List<Step> matter = List.of(plan.steps().getFirst(), plan.steps().get(plan.steps().size() / 2));

    Plan least =
        new Shrinker(smaller -> smaller.steps().containsAll(matter), () -> false).shrink(plan);

    assertEquals(matter, least.steps());
    assertEquals(plan.seed(), least.seed());
  }

  public void testEndsWhenTimeIsShort() {
    Plan plan = Plan.of(randomLong());

    assertEquals(plan, new Shrinker(smaller -> true, () -> true).shrink(plan));
  }
}
