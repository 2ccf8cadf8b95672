// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.threadpool.ThreadPool;

/** What was replaced or deleted goes when its time is over, whatever the cached clock tells. */
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class RetiredModelsTests extends ModelClusterTestCase {
  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(ThreadPool.ESTIMATED_TIME_INTERVAL_SETTING.getKey(), TimeValue.timeValueHours(1))
        .build();
  }

  public void testRetiredVersionsAreDroppedThoughTheCachedClockStandsStill() throws Exception {
    setting("quickscorer.model.retire_after", "100ms");
    put("m", "fs", MODEL);
    put("m", "other", OTHER);
    delete("m");
    assertNothingIsHeld();
  }
}
