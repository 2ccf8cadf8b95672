// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;

/** The OpenAPI description of the documentation. */
public final class OpenApiDescription {
  private OpenApiDescription() {}

  /** All of it. */
  public static Map<String, Object> read() throws IOException {
    String text = Files.readString(Path.of("docs", "openapi.yaml"));
    return XContentHelper.convertToMap(XContentType.YAML.xContent(), text, true);
  }

  public static Map<?, ?> schema(String name) throws IOException {
    return child(child(child(read(), "components"), "schemas"), name);
  }

  /** The object of this name. */
  public static Map<?, ?> child(Map<?, ?> map, String key) {
    if (!(map.get(key) instanceof Map<?, ?> child)) {
      throw new AssertionError("no object [" + key + "] in " + map.keySet());
    }
    return child;
  }
}
