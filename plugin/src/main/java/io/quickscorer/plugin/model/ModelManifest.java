// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import org.opensearch.core.ParseField;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

/**
 * The entry of a model in the cluster state, with which the model's stored file is found and
 * verified.
 *
 * @param upload the key of the stored documents, different for each upload
 * @param sha256 the SHA-256 of the uncompressed file, in hexadecimal
 * @param bytes the size of the uncompressed file
 * @param storedBytes the size of the compressed file, all chunks together
 * @param chunks the number of chunks in which the file is stored
 * @param heapBytes the heap bytes of the loaded model, computed at upload
 * @param created the time of the upload in milliseconds since the epoch
 * @param checksums the checksums of the stored documents
 */
public record ModelManifest(
    ModelId id,
    String upload,
    String sha256,
    long bytes,
    long storedBytes,
    int chunks,
    long heapBytes,
    long created,
    Checksums checksums)
    implements WireRecord, ToXContentObject {
  private static final ConstructingObjectParser<ModelManifest, Void> PARSER = parser();

  /**
   * The checksums of a model's stored data: SHA-256 in hexadecimal.
   *
   * @param model the hash of the stored file, all chunks together
   * @param description the hash of the document that describes the model
   */
  public record Checksums(String model, String description) implements WireRecord {
    /** The checksums of a model that is not stored yet: empty texts. */
    public static final Checksums NONE = new Checksums("", "");
  }

  private static ConstructingObjectParser<ModelManifest, Void> parser() {
    // The parser is lenient, so that a node can read the state that a later version wrote.
    ConstructingObjectParser<ModelManifest, Void> parser =
        new ConstructingObjectParser<>(
            "model",
            true,
            a ->
                new ModelManifest(
                    new ModelId((String) a[0], (String) a[1]),
                    (String) a[2],
                    (String) a[3],
                    (long) a[4],
                    (long) a[5],
                    Math.toIntExact((long) a[6]),
                    (long) a[7],
                    (long) a[8],
                    new Checksums((String) a[9], (String) a[10])));
    for (String text : List.of("name", "version", "upload", "sha256")) {
      parser.declareString(ConstructingObjectParser.constructorArg(), new ParseField(text));
    }
    for (String number : List.of("bytes", "stored_bytes", "chunks", "heap_bytes", "created")) {
      parser.declareLong(ConstructingObjectParser.constructorArg(), new ParseField(number));
    }
    for (String sum : List.of("stored_sha256", "description_sha256")) {
      parser.declareString(ConstructingObjectParser.constructorArg(), new ParseField(sum));
    }
    return parser;
  }

  static ModelManifest fromXContent(XContentParser parser) {
    return PARSER.apply(parser, null);
  }

  public ModelManifest with(Checksums stored) {
    return new ModelManifest(
        id, upload, sha256, bytes, storedBytes, chunks, heapBytes, created, stored);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    return builder
        .startObject()
        .field("name", id.name())
        .field("version", id.version())
        .field("upload", upload)
        .field("sha256", sha256)
        .field("bytes", bytes)
        .field("stored_bytes", storedBytes)
        .field("chunks", chunks)
        .field("heap_bytes", heapBytes)
        .field("created", created)
        .field("stored_sha256", checksums.model)
        .field("description_sha256", checksums.description)
        .endObject();
  }
}
