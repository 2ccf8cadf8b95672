// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.testing.FusedComparisons;
import java.util.List;
import java.util.Set;
import org.opensearch.test.OpenSearchTestCase;

/** The rule of the engine's module, over the plugin's classes. */
public class FusedComparisonsTests extends OpenSearchTestCase {
  public void testNoneInThePlugin() throws Exception {
    assertEquals(List.of(), FusedComparisons.inModuleOf(QuickScorerPlugin.class, Set.of()));
  }
}
