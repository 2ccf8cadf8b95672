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
 * The JVM of a node.
 *
 * @param version of the JVM, as {@link Runtime#version} has it
 * @param knownDefects issues of the JDK, see {@link JdkDefects}
 */
record JvmStats(String version, List<String> knownDefects)
    implements WireRecord, ToXContentFragment {
  private static final Logger LOGGER = LogManager.getLogger(JvmStats.class);

  public static JvmStats ofThisNode() {
    return new JvmStats(Runtime.version().toString(), JdkDefects.ofThisJvm());
  }

  /** Says so in the log: our code does without what is defective, other code may not. */
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
