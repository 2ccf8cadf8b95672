// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.ModelsMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
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
  /** Why writing to a full disk fails. */
  static final String NO_SPACE = "No space left on device";

  /** A writing has failed. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure(String why) {
      super(why);
    }
  }

  /** The term that the node voted in last. */
  long term;

  /** The cluster state that the node accepted last. */
  @Nullable ClusterState state;

  /** The copy of the simulated shard. */
  @Nullable ShardCopy copy;

  /** Whether the plugin is installed. */
  boolean plugin = true;

  /** Whether there is no space left. */
  boolean full;

  /** Ends the process at the next writing of a cluster state or term; null if nothing does. */
  @Nullable Runnable endsWithState;

  /** Ends the host at the next writing of a document; null if nothing does. */
  @Nullable Runnable endsWithDocument;

  /** Checks that a cluster state or a term can be written. */
  void writeState() {
    if (full) {
      throw new Failure(NO_SPACE);
    }
    Runnable end = endsWithState;
    if (end != null) {
      endsWithState = null;
      end.run();
      throw new Failure("the process has ended");
    }
  }

  /** Makes what a copy has written last; returns false if its host has ended. */
  boolean sync(ShardCopy written) {
    Runnable end = endsWithDocument;
    if (end != null) {
      end.run();
      return false;
    }
    written.sync();
    return true;
  }

  /** The host has lost its power: what was not synced is lost. */
  void losePower() {
    endsWithState = null;
    endsWithDocument = null;
    if (copy != null) {
      copy.loseUnsynced();
    }
  }

  /** Returns metadata as it is written to a disk and read from it: without the last requests. */
  static Metadata stored(Metadata metadata) {
    ModelsMetadata models = metadata.custom(ModelsMetadata.TYPE);
    if (models == null) {
      return metadata;
    }
    try (XContentBuilder json = XContentFactory.jsonBuilder().startObject()) {
      models.toXContent(json, ToXContent.EMPTY_PARAMS).endObject();
      return Metadata.builder(metadata)
          .putCustom(ModelsMetadata.TYPE, metadata(json.toString()))
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The models and aliases of a document. */
  static ModelsMetadata metadata(Map<?, ?> fields) {
    try (XContentBuilder json = XContentFactory.jsonBuilder().value(fields)) {
      return metadata(json.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ModelsMetadata metadata(String json) throws IOException {
    try (XContentParser read =
        JsonXContent.jsonXContent.createParser(
            NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, json)) {
      return ModelsMetadata.fromXContent(read);
    }
  }
}
