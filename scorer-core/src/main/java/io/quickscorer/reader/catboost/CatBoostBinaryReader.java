// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.catboost.FlatBuffer.Vector;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;

/**
 * Reads CatBoost's binary file, {@code .cbm}: the bytes {@code CBM1}, a length, and a FlatBuffers
 * table. {@link CatBoostBinaryFeatures} and {@link CatBoostBinaryTrees} read its features and
 * trees. The tables of the CTRs follow, each a FlatBuffers table with its length in front. Models
 * with text or embedding features are not supported.
 */
public final class CatBoostBinaryReader {
  /** The format of CatBoost's binary file, {@code .cbm}. */
  public static final FormatReader FORMAT =
      FormatReader.ofOptions("catboost_binary", "CatBoost", CatBoostBinaryReader::read)
          .startingAs(CatBoostBinaryReader::recognises);

  /** The format of CatBoost's JSON model. */
  public static final FormatReader JSON = CatBoostJsonReader.FORMAT;

  private static final String MAGIC = "CBM1";
  private static final String VERSION = "FlabuffersModel_v1";
  private static final int HEADER_BYTES = 8;

  /** Number of a field in the model's FlatBuffers table, like the next two constants. */
  private static final int FORMAT_VERSION = 0;

  private static final int MODEL_TREES = 1;
  private static final int MODEL_PARTS = 3;

  /** Number of a field in the trees' FlatBuffers table, like the next three constants. */
  private static final int DIMENSION = 0;

  private static final int SCALE = 14;
  private static final int BIAS = 15;
  private static final int MULTI_BIAS = 16;

  /** Numbers of unsupported fields in the trees' FlatBuffers table; these fields must be empty. */
  private static final int[] REFUSED = {12, 13, 18};

  /** For each field in {@link #REFUSED}, the error message if the file contains the field. */
  private static final String[] REASONS = {
    "text features are not supported, only numbers and categories",
    "estimated features are not supported, only numbers and categories",
    "embedding features are not supported, only numbers and categories"
  };

  /** The name, for messages, of the part of the file that contains target statistics. */
  private static final String CTR_PART = "static_provider_v1";

  private final BoundedInput input;
  private final int length;
  private final FlatBuffer file;
  private final EnsembleLimits limits;
  private final CatBoostFeatures features;
  private final CatBoostCtrs ctrs = new CatBoostCtrs();
  private final CatBoostTrees trees;
  private final CatBoostOutputs outputs;

  private CatBoostBinaryReader(
      BoundedInput input, int end, EnsembleLimits limits, ReadOptions options) {
    this.outputs = new CatBoostOutputs(options);
    this.input = input;
    this.length = input.length();
    this.file = new FlatBuffer(input, HEADER_BYTES, end);
    this.limits = limits;
    this.features = new CatBoostFeatures(limits, options.categories());
    this.trees = new CatBoostTrees(features, ctrs, limits, length);
  }

  private static boolean recognises(BoundedInput input) {
    return input.startsWith(0, MAGIC);
  }

  private static TreeEnsemble read(BoundedInput input, EnsembleLimits limits, ReadOptions options) {
    options.noModel();
    if (!recognises(input) || input.length() < HEADER_BYTES) {
      throw InvalidModelException.at(
          0, "the file must begin with the bytes " + MAGIC + " and a length");
    }
    long size = littleEndian(input, MAGIC.length());
    if (size > input.length() - HEADER_BYTES) {
      throw InvalidModelException.at(
          MAGIC.length(),
          "core: length of "
              + size
              + " bytes, but the file has "
              + (input.length() - HEADER_BYTES));
    }
    return new CatBoostBinaryReader(input, HEADER_BYTES + (int) size, limits, options)
        .read(HEADER_BYTES + (int) size);
  }

  private TreeEnsemble read(int end) {
    int core = file.root();
    String version = file.string(file.field(core, FORMAT_VERSION, "core"), "FormatVersion");
    if (!version.equals(VERSION)) {
      throw file.failure(core, "FormatVersion: expected " + VERSION);
    }
    int treesField = file.field(core, MODEL_TREES, "core");
    if (treesField == FlatBuffer.ABSENT) {
      throw file.failure(core, "trees: missing");
    }
    int table = file.target(treesField, "trees");
    for (int i = 0; i < REFUSED.length; i++) {
      if (file.vector(table, REFUSED[i], 1, "trees").length() > 0) {
        throw file.failure(table, REASONS[i]);
      }
    }
    int count = file.intOf(table, DIMENSION, 1, "ApproxDimension");
    outputs.found(Math.max(1, count), file.field(table, DIMENSION, "trees"));
    CatBoostBinaryFeatures splits = new CatBoostBinaryFeatures(file, table, features, ctrs);
    readParts(core, end);
    new CatBoostBinaryTrees(file, table, splits, trees, outputs, limits).read();
    return trees.build(
        new ModelSource(FORMAT.format(), "", "", outputs.notes(false)),
        file.doubleOf(table, SCALE, 1, "Scale"),
        bias(table),
        0);
  }

  /**
   * Reads the data after the trees, if any: the number of tables of target statistics, and for each
   * table its length and its bytes.
   */
  private void readParts(int core, int end) {
    Vector parts = file.vector(core, MODEL_PARTS, Integer.BYTES, "ModelPartIds");
    int at = end;
    if (parts.length() == 1) {
      String part = file.string(parts.first(), "ModelPartIds");
      if (!part.equals(CTR_PART)) {
        throw file.failure(end, "ModelPartIds: text and embedding data are not supported");
      }
      long tables = unsigned(at);
      at += Integer.BYTES;
      for (long table = 0; table < tables; table++) {
        long size = unsigned(at);
        if (size > length - at - Integer.BYTES) {
          throw file.failure(
              at, CTR_PART + ": table of " + size + " bytes ends after the end of the file");
        }
        at += Integer.BYTES;
        // A file without CTR features may still contain tables, which are skipped.
        if (ctrs.size() > 0) {
          new CatBoostBinaryCtrs(new FlatBuffer(input, at, Math.addExact(at, (int) size)))
              .readTable(ctrs);
        }
        at = Math.addExact(at, (int) size);
      }
    }
    if (parts.length() > 1 || at != length) {
      throw file.failure(
          at, "more data after the trees; text and embedding data are not supported");
    }
  }

  /** Returns the unsigned number in the four bytes at an offset. */
  private long unsigned(int at) {
    if (at > length - Integer.BYTES) {
      throw file.failure(at, CTR_PART + ": ends after the end of the file");
    }
    return littleEndian(input, at);
  }

  private static long littleEndian(BoundedInput input, int at) {
    long value = 0;
    for (int i = Integer.BYTES - 1; i >= 0; i--) {
      value = value << Byte.SIZE | input.at(at + i);
    }
    return value;
  }

  /**
   * Returns the bias of the output that is scored. Newer versions of CatBoost write a vector of
   * biases, older versions write one number.
   */
  private double bias(int table) {
    Vector biases = file.vector(table, MULTI_BIAS, Double.BYTES, "MultiBias");
    if (biases.length() == 0) {
      return file.doubleOf(table, BIAS, 0, "Bias");
    }
    if (biases.length() != outputs.count()) {
      throw file.failure(
          file.field(table, MULTI_BIAS, "trees"),
          "MultiBias: found " + biases.length() + " numbers, expected " + outputs.count());
    }
    return file.doubleAt(biases.first() + outputs.chosen() * Double.BYTES, "MultiBias");
  }
}
