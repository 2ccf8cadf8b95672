// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.opensearch.test.MockLogAppender;
import org.opensearch.test.OpenSearchTestCase;

public class JvmStatsTests extends OpenSearchTestCase {
  private static final String LOGGER = JvmStats.class.getName();

  public void testTheLogNamesAJdkThatIsKnownToHaveADefect() throws Exception {
    try (MockLogAppender log =
        MockLogAppender.createForLoggers(LogManager.getLogger(JvmStats.class))) {
      log.addExpectation(
          new MockLogAppender.PatternSeenEventExpectation(
              "defect",
              LOGGER,
              Level.WARN,
              "JVM 25\\.0\\.3 has known defects.*\\(JDK-1, JDK-2\\).*"));
      new JvmStats("25.0.3", List.of("JDK-1", "JDK-2")).warnOfDefects();
      log.assertAllExpectationsMatched();
    }
  }

  public void testNothingIsSaidOfOthers() throws Exception {
    try (MockLogAppender log =
        MockLogAppender.createForLoggers(LogManager.getLogger(JvmStats.class))) {
      log.addExpectation(
          new MockLogAppender.UnseenEventExpectation("defect", LOGGER, Level.WARN, "*"));
      new JvmStats("27", List.of()).warnOfDefects();
      log.assertAllExpectationsMatched();
    }
  }
}
