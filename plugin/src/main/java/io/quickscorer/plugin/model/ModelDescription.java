// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.reader.Fingerprint;
import io.quickscorer.reader.ModelFormats;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The stored description of a model: all data except the model's file.
 *
 * @param metadata the properties that users see, such as the format and the features that the model
 *     uses
 * @param features the model's own copy of its feature set
 * @param options the options with which the model's file is read
 * @param bytes the size of the stored document; 0 if the description was not read from a document
 */
public record ModelDescription(
    Map<String, Object> metadata, FeatureSet features, ReadOptions options, int bytes)
    implements ToXContentFragment {
  /** Estimated heap bytes of a parsed description, for each byte of the stored document. */
  public static final int PARSED_FACTOR = 8;

  public static final String METADATA = "metadata";
  public static final String FEATURE_SET = "feature_set";
  public static final String FORMAT = "format";

  /**
   * Name of the metadata field with the model's fingerprint: a hash of the trees, computed by the
   * build that stored the model.
   */
  public static final String FINGERPRINT = "fingerprint";

  public static final String READ_OPTIONS = "read_options";
  public static final String FEATURE_MAP = "feature_map";
  public static final String FEATURES_USED = "features_used";

  /** Name of the metadata field with warnings about the model's file; absent without warnings. */
  public static final String WARNINGS = "warnings";

  public static final String FEATURE_RANGES = "feature_ranges";

  public ModelDescription(Map<String, Object> metadata, FeatureSet features, ReadOptions options) {
    this(metadata, features, options, 0);
  }

  /** Returns the estimated heap bytes of this description; 0 if {@link #bytes} is unknown. */
  public long heapBytes() {
    return (long) PARSED_FACTOR * bytes;
  }

  /**
   * Returns a map from names of features in the model to their names in the feature set. Features
   * with equal names are left out.
   */
  public Map<String, String> featureMap() {
    Map<String, String> map = new LinkedHashMap<>();
    if (metadata.get(FEATURE_MAP) instanceof Map<?, ?> stored) {
      stored.forEach((from, to) -> map.put(String.valueOf(from), String.valueOf(to)));
    }
    return map;
  }

  /** Returns a copy of this description with the properties of another uploaded file. */
  public ModelDescription with(UploadedFile file) {
    Map<String, Object> changed = new LinkedHashMap<>(metadata);
    changed.put(UploadedFile.FIELD, file.toMap());
    return new ModelDescription(changed, features, options, bytes);
  }

  /**
   * Returns the properties of the uploaded file.
   *
   * @throws IllegalArgumentException if the metadata lack them
   */
  public UploadedFile file() {
    return UploadedFile.of(metadata);
  }

  /** Returns the file's format, in a form that {@link ModelFormats#of} accepts. */
  public String format() {
    return String.valueOf(metadata.get(FORMAT));
  }

  /** Returns the {@link Fingerprint} (a hash) that the model must have after its file is read. */
  public String fingerprint() {
    return String.valueOf(metadata.get(FINGERPRINT));
  }

  /** Returns the names of the features that the model uses. */
  public Set<String> featuresUsed() {
    List<?> used = metadata.get(FEATURES_USED) instanceof List<?> list ? list : List.of();
    return Set.copyOf(used.stream().map(String::valueOf).toList());
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.field(METADATA, metadata);
    builder.field(FEATURE_SET);
    features.toXContent(builder, params);
    return builder.field(READ_OPTIONS, ReadFields.toMap(options));
  }

  /** Parses a description from its stored document. */
  public static ModelDescription parse(BytesReference source, XContentType type) {
    Stored stored = Door.own(type, source, in -> STORED.read(in, new Stored()));
    return new ModelDescription(
        stored.metadata,
        Objects.requireNonNull(stored.features),
        stored.reading.options(),
        source.length());
  }

  private static final Shape<Stored> STORED =
      new Shape<Stored>()
          .map(METADATA, (stored, metadata) -> stored.metadata = metadata)
          // In the document, the metadata come first, because they contain the set's name.
          .any(
              FEATURE_SET,
              (stored, in) ->
                  stored.features =
                      FeatureSet.read(String.valueOf(stored.metadata.get(FEATURE_SET)), in))
          .object(
              READ_OPTIONS,
              ReadFields.SHAPE,
              (stored, in) -> ReadFields.SHAPE.read(in, stored.reading))
          .required(FEATURE_SET, READ_OPTIONS)
          .lenient();

  private static final class Stored {
    private Map<String, Object> metadata = Map.of();
    private @Nullable FeatureSet features;
    private final ReadFields reading = new ReadFields();
  }

  /**
   * The properties of an uploaded file, from the model's description.
   *
   * @param name the file name for a download
   * @param contentType the media type of the file's bytes; it may differ from the type of the
   *     upload
   * @param bytes the size of the file as it was uploaded
   * @param sha256 the SHA-256 of the file as it was uploaded, in hexadecimal
   */
  public record UploadedFile(String name, String contentType, long bytes, String sha256) {
    /** The name of the metadata field that contains the properties of the uploaded file. */
    static final String FIELD = "uploaded_file";

    private static final String NAME = "name";
    private static final String CONTENT_TYPE = "content_type";
    private static final String BYTES = "bytes";
    private static final String SHA256 = "sha256";

    /**
     * Returns the properties of the uploaded file that a model's metadata contain.
     *
     * @throws IllegalArgumentException if the metadata lack them
     */
    static UploadedFile of(Map<String, Object> metadata) {
      if (metadata.get(FIELD) instanceof Map<?, ?> file
          && file.get(NAME) instanceof String name
          && file.get(CONTENT_TYPE) instanceof String contentType
          && file.get(BYTES) instanceof Number bytes
          && file.get(SHA256) instanceof String sha256) {
        return new UploadedFile(name, contentType, bytes.longValue(), sha256);
      }
      throw new IllegalArgumentException("metadata: expected an object [" + FIELD + "]");
    }

    Map<String, Object> toMap() {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put(NAME, name);
      map.put(CONTENT_TYPE, contentType);
      map.put(BYTES, bytes);
      map.put(SHA256, sha256);
      return map;
    }
  }
}
