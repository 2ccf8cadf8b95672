// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.Loops;
import java.util.Set;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Loops within loops over data from outside count their steps, so that they end where there are too
 * many, the request was cancelled or its client is gone. Those over a search's documents look for
 * the search's own end, and are not among these packages.
 */
public class WorkRulesTests extends OpenSearchTestCase {
  public void testNestedLoopsCountTheirSteps() throws Exception {
    assertEquals(
        Set.of(),
        Loops.inModuleOf(
            QuickScorerPlugin.class,
            Set.of("io/quickscorer/plugin/guard/Work.step"),
            "io/quickscorer/plugin/action/comparison/",
            "io/quickscorer/plugin/action/featureset/",
            "io/quickscorer/plugin/action/imports/",
            "io/quickscorer/plugin/action/transfer/",
            "io/quickscorer/plugin/door/",
            "io/quickscorer/plugin/feature/bound/",
            "io/quickscorer/plugin/feature/expression/",
            "io/quickscorer/plugin/feature/set/",
            "io/quickscorer/plugin/feature/template/",
            "io/quickscorer/plugin/model/upload/",
            "io/quickscorer/plugin/pipeline/",
            "io/quickscorer/plugin/rescore/clause/",
            "io/quickscorer/plugin/rescore/warm/"));
  }
}
