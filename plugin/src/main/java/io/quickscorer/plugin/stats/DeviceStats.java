// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.wire.WireRecord;
import io.quickscorer.scorer.Accelerators;
import io.quickscorer.scorer.Accelerators.Device;
import java.io.IOException;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/** The devices, such as GPUs, that score on a node in addition to its CPU, with their state. */
record DeviceStats(Accelerators accelerators) implements WireRecord, ToXContentFragment {
  private static final String NOT_LOOKED_FOR =
      "not detected yet: devices are detected when the first model is compiled for other hardware"
          + " than the CPU";

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, ToXContent.Params params)
      throws IOException {
    builder.startObject("gpu");
    if (accelerators.devices().isEmpty()) {
      String reason = accelerators.unavailable();
      builder.field("reason", reason.isEmpty() ? NOT_LOOKED_FOR : reason);
    }
    builder.startArray("devices");
    for (Device device : accelerators.devices()) {
      builder.startObject();
      builder.field("name", device.name());
      builder.field("bytes", device.bytes());
      builder.field("pinned_host_bytes", device.pinnedBytes());
      builder.field("calls", device.calls());
      builder.field("failures", device.failures());
      if (!device.lost().isEmpty()) {
        builder.field("lost", device.lost());
      }
      builder.endObject();
    }
    return builder.endArray().endObject();
  }
}
