// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.scorer.Accelerators;
import java.util.List;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.test.OpenSearchTestCase;

public class DeviceStatsTests extends OpenSearchTestCase {
  private static String json(Accelerators accelerators) throws Exception {
    try (XContentBuilder builder = JsonXContent.contentBuilder()) {
      builder.startObject();
      new DeviceStats(accelerators).toXContent(builder, ToXContent.EMPTY_PARAMS);
      return builder.endObject().toString();
    }
  }

  public void testNoDeviceHasAReason() throws Exception {
    assertEquals(
        "{\"gpu\":{\"reason\":\"no driver\",\"devices\":[]}}",
        json(new Accelerators(List.of(), "no driver")));
    assertTrue(json(Accelerators.NONE), json(Accelerators.NONE).contains("\"not detected yet: "));
  }

  public void testADeviceNeedsNone() throws Exception {
    Accelerators.Device device = new Accelerators.Device("A", 1, 2, 3, 0, "");
    assertFalse(json(new Accelerators(List.of(device), "")).contains("reason"));
  }
}
