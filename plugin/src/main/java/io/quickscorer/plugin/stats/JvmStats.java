// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.compile.JdkDefects;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The version and the known defects of a node's JVM.
 *
 * @param version the version, as {@link Runtime#version} returns it
 * @param knownDefects the issue numbers of the JVM's known defects, as {@link JdkDefects} lists
 *     them
 */
record JvmStats(String version, List<String> knownDefects)
    implements WireRecord, ToXContentFragment {
  private static final Logger LOGGER = LogManager.getLogger(JvmStats.class);

  public static JvmStats ofThisNode() {
    return new JvmStats(Runtime.version().toString(), JdkDefects.ofThisJvm());
  }

  /**
   * Logs a warning if the JVM has known defects. The plugin's own code avoids these defects, but
   * other code in the JVM may not.
   */
  public void warnOfDefects() {
    if (!knownDefects.isEmpty()) {
      LOGGER.warn(
          "JVM {} has known defects of the JIT ({}) that can produce wrong results; the plugin"
              + " avoids them, but update the JDK",
          version,
          String.join(", ", knownDefects));
    }
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, ToXContent.Params params)
      throws IOException {
    return builder
        .startObject("jvm")
        .field("version", version)
        .field("known_defects", knownDefects)
        .endObject();
  }
}
