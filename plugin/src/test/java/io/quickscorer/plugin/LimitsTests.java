// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.testing.Limits;
import java.nio.file.Path;
import java.util.Set;
import org.opensearch.test.OpenSearchTestCase;

/** A limit of the plugin that is removed or changed is looked at. */
public class LimitsTests extends OpenSearchTestCase {
  public void testTheRegistryHasAllLimits() throws Exception {
    Set<String> limits = Limits.inModuleOf(QuickScorerPlugin.class);
    assertEquals(Limits.registered(Path.of("src/test/resources/limits.txt"), limits), limits);
  }
}
