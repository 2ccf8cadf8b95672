// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.testing;

import java.util.Random;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.test.OpenSearchIntegTestCase;

/** A test on nodes in this JVM. */
public abstract class IntegTestCase extends OpenSearchIntegTestCase {
  /**
   * The test framework waits after each test until all buffers are released. An index that writes
   * its translog to disk at an interval, as some random ones do, keeps its buffer until then: five
   * seconds by default.
   */
  @Override
  protected Settings.Builder setRandomIndexSettings(Random random, Settings.Builder builder) {
    return super.setRandomIndexSettings(random, builder)
        .put(IndexSettings.INDEX_TRANSLOG_SYNC_INTERVAL_SETTING.getKey(), "100ms");
  }
}
