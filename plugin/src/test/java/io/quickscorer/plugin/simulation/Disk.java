// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.ModelsMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

/** The contents of a node that outlast its process. */
final class Disk {
  /** The term that the node voted in last. */
  long term;

  /** The cluster state that the node accepted last. */
  @Nullable ClusterState state;

  /** The copy of the simulated shard. */
  @Nullable ShardCopy copy;

  /** Returns metadata as it is written to a disk and read from it: without the last requests. */
  static Metadata stored(Metadata metadata) {
    ModelsMetadata models = metadata.custom(ModelsMetadata.TYPE);
    if (models == null) {
      return metadata;
    }
    try (XContentBuilder json = XContentFactory.jsonBuilder().startObject()) {
      models.toXContent(json, ToXContent.EMPTY_PARAMS).endObject();
      try (XContentParser read =
          JsonXContent.jsonXContent.createParser(
              NamedXContentRegistry.EMPTY,
              DeprecationHandler.THROW_UNSUPPORTED_OPERATION,
              json.toString())) {
        return Metadata.builder(metadata)
            .putCustom(ModelsMetadata.TYPE, ModelsMetadata.fromXContent(read))
            .build();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
