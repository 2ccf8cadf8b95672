// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.Fingerprint;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.EnsembleScorer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.rest.RestStatus;

/** Reads model files, estimates the memory for this, and gives each failure a status. */
public final class ModelFile {
  /**
   * Maximum temporary bytes of a reader per byte of the file, in addition to the model. Readers
   * allocate 2 to 25 bytes per byte in total, but only for one tree at a time.
   */
  private static final int READING_FACTOR = 4;

  /** Bytes per split: two children, feature, threshold, category set, rule for missing values. */
  private static final int SPLIT_BYTES = 4 + 4 + 4 + 4 + 4 + 4;

  private static final String JSON_LIBRARY = "tools.jackson.core.json.JsonFactory";

  private static final int LEAF_BYTES = Double.BYTES;
  private static final int TREE_BYTES = 200;

  /** Bytes per feature: its name, and the counters of its values while the model scores. */
  private static final int FEATURE_BYTES = 1_000;

  /** Bytes per list of categories, without the categories in it. */
  private static final int CATEGORIES_BYTES = 200;

  private static final EnsembleLimits NO_LIMITS =
      new EnsembleLimits(
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE);

  private ModelFile() {}

  /**
   * Reads an uploaded file as a model.
   *
   * @throws IllegalArgumentException (400) if the file is not valid or exceeds a limit; the message
   *     has the place of the error, or the setting of the limit
   */
  public static TreeEnsemble read(
      byte[] file, ModelFormat format, EnsembleLimits limits, ReadOptions options) {
    try {
      return ModelReader.read(file, format, limits, options);
    } catch (InvalidModelException e) {
      EnsembleLimits.Limit limit = e.limit();
      String setting =
          limit == null
              ? ""
              : " by setting ["
                  + ModelSettings.of(limit).getKey()
                  + "]; this is a limit of the plugin, not of the format";
      throw new IllegalArgumentException("invalid_model: " + e.getMessage() + setting, e);
    } catch (LinkageError e) {
      // The error is not set as the cause: the server ends the process if a cause is an Error.
      throw new OpenSearchStatusException(
          "this server lacks a library that reads models of this format: {}",
          RestStatus.NOT_IMPLEMENTED,
          e.getMessage());
    }
  }

  /** Returns a message if the reader of JSON models lacks a library, otherwise null. */
  public static @Nullable String missingLibrary() {
    try {
      Class.forName(JSON_LIBRARY, false, ModelFile.class.getClassLoader());
      return null;
    } catch (ClassNotFoundException | LinkageError e) {
      return "models in JSON cannot be read: this server lacks ["
          + JSON_LIBRARY
          + "], which is part of OpenSearch 3.8; put its jar into the plugin's folder";
    }
  }

  /**
   * Reads the stored file of an accepted model. The limits for uploads are not checked, because a
   * lowered limit must not make the model unusable.
   *
   * @throws IllegalArgumentException if this build cannot read the file, or reads a model that
   *     scores differently from the accepted one
   */
  public static TreeEnsemble readStored(
      byte[] stored, ModelManifest manifest, ModelDescription description) {
    byte[] file = Gzip.decompress(stored, description.file().bytes());
    byte[] plain = Gzip.isGzip(file) ? Gzip.decompress(file, manifest.bytes()) : file;
    TreeEnsemble ensemble =
        read(plain, ModelFormats.of(description.format()), NO_LIMITS, description.options());
    checkFingerprint(ensemble, description);
    return ensemble;
  }

  /** Throws if a model's fingerprint (a hash) is not the one in its description. */
  public static void checkFingerprint(TreeEnsemble ensemble, ModelDescription description) {
    String fingerprint = Fingerprint.of(ensemble);
    if (!fingerprint.equals(description.fingerprint())) {
      throw new IllegalArgumentException(
          "this build reads the file differently from the build that accepted it, so scores could"
              + " differ: fingerprint ["
              + fingerprint
              + "], expected ["
              + description.fingerprint()
              + "]");
    }
  }

  public static String sha256(byte[] file) {
    MessageDigest digest = MessageDigests.sha256();
    return HexFormat.of().formatHex(digest.digest(file));
  }

  /** Returns the bytes to reserve to read and compile a file, before the model's size is known. */
  public static long readingBytes(long fileBytes) {
    return fileBytes * (1 + READING_FACTOR);
  }

  /** Returns the bytes to reserve for loading a stored model: its chunks, its file, the model. */
  public static long loadingBytes(ModelManifest manifest) {
    return 3 * manifest.storedBytes() + readingBytes(manifest.bytes()) + manifest.heapBytes();
  }

  /** Returns the heap bytes of a model: of its trees and features, and of its compiled form. */
  public static long heapBytes(EnsembleScorer scorer) {
    EnsembleShape shape = scorer.ensemble().shape();
    return scorer.bytes()
        + shape.splits() * SPLIT_BYTES
        + shape.leaves() * LEAF_BYTES
        + (long) shape.trees() * TREE_BYTES
        + (long) shape.features() * FEATURE_BYTES
        + scorer.ensemble().categories().values().stream()
            .mapToLong(list -> CATEGORIES_BYTES + list.bytes())
            .sum();
  }
}
