// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.NumberFlow;
import io.quickscorer.testing.UnlockedFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.test.OpenSearchTestCase;

/** A field that is accessed under a monitor is always accessed under one. */
public class UnlockedFieldsTests extends OpenSearchTestCase {
  private static final Map<String, List<String>> OTHERS =
      Map.of(
          "a collection for several threads",
          List.of(
              "MemoryCharge.releaseCollected: OPEN",
              "RecentUses.lastUse: uses",
              "RecentUses.use: uses"),
          "never changed after the constructor",
          List.of(
              "DriftWindows.observe: edges",
              "EnsembleRescoreContext.isRanked: stages",
              "EnsembleRescoreContext.stages: stages",
              "EnsembleRescoreContext.startProfile: stages",
              "LoggedRowStore$Waiting.bytes: rows",
              "LoggedRowStore$Waiting.rows: rows"),
          "taken out under the monitor",
          List.of("WaitingListeners$Taken.answer: timer"));

  public void testFieldsAreAccessedUnderTheirMonitor() throws Exception {
    assertEquals(NumberFlow.listed(OTHERS), UnlockedFields.inModuleOf(QuickScorerPlugin.class));
  }

  @SuppressWarnings("unused") // read by the rule
  private static final class Planted {
    private final List<String> names = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private int count;

    synchronized void add(String name) {
      names.add(name);
      counted();
    }

    void addOther(String name) {
      synchronized (others) {
        others.add(name);
        others.removeIf(other -> others.size() > 2);
      }
    }

    private void counted() {
      count++;
    }

    int unlockedCount() {
      return count;
    }

    int unlockedSize() {
      return names.size();
    }
  }

  public void testTheRuleBites() throws Exception {
    String planted = "UnlockedFieldsTests$Planted.";
    assertEquals(
        Set.of(planted + "unlockedCount: count", planted + "unlockedSize: names"),
        UnlockedFields.inModuleOf(UnlockedFieldsTests.class).stream()
            .filter(found -> found.startsWith(planted))
            .collect(Collectors.toSet()));
  }
}
