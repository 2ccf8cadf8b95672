// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.testing.Limits;
import io.quickscorer.testing.Protections;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.opensearch.test.OpenSearchTestCase;

/** A limit or a protection of the plugin that is removed or changed is looked at. */
public class LimitsTests extends OpenSearchTestCase {
  private static final Pattern PROTECTING =
      Pattern.compile(
          "io/quickscorer/plugin/(memory|guard|door)/.*"
              + "|io/quickscorer/scorer/(Workspace|Budget|Checkpoint)\\..*"
              + "|java/lang/Math\\.(.*Exact|min|max|clamp)|java/util/Objects\\.check.*"
              + "|org/opensearch/core/action/ActionListener\\..*"
              + "|org/opensearch/action/(ActionRunnable|StepListener|support/.*Listener)\\..*"
              + "|org/opensearch/core/common/breaker/.*"
              + "|.*\\.(check\\w*|count|precondition|cancel|close|acquire|release|remove\\w*)"
              + "|.*\\.(is|ensureNot)Cancelled"
              + "|.*\\.(get)?([sS]eqNo|[pP]rimaryTerm|[vV]ersion|indexUUID)");

  private static Set<String> registered(String name, Set<String> present) throws Exception {
    return Limits.registered(Path.of("src/test/resources", name), present);
  }

  public void testTheRegistryHasAllLimits() throws Exception {
    Set<String> limits = Limits.inModuleOf(QuickScorerPlugin.class);
    assertEquals(
        Limits.CHANGED, Set.of(), Limits.differences(registered("limits.txt", limits), limits));
  }

  public void testTheRegistryHasAllProtections() throws Exception {
    Set<String> present = Protections.inModuleOf(QuickScorerPlugin.class, PROTECTING);
    assertEquals(
        Limits.CHANGED,
        Set.of(),
        Limits.differences(registered("protections.txt", present), present));
  }
}
