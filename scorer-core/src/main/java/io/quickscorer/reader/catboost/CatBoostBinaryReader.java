// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.FlatBuffer;

/**
 * CatBoost's own binary file, {@code .cbm}: four letters, a length, and a FlatBuffers table, whose
 * features and trees {@link CatBoostBinaryFeatures} and {@link CatBoostBinaryTrees} read. Refused
 * by name: target statistics of categories (CTRs), text and embedding features, several outputs.
 */
public final class CatBoostBinaryReader {
  /** {@code .cbm}, CatBoost's own binary file. */
  public static final FormatReader FORMAT =
      FormatReader.ofSingle("catboost_binary", "CatBoost", CatBoostBinaryReader::read)
          .startingAs(CatBoostBinaryReader::recognises);

  private static final String MAGIC = "CBM1";
  private static final String VERSION = "FlabuffersModel_v1";
  private static final int HEADER_BYTES = 8;

  /** Fields of the core table. */
  private static final int FORMAT_VERSION = 0;

  private static final int MODEL_TREES = 1;
  private static final int MODEL_PARTS = 3;

  /** Fields of the table of trees. */
  private static final int DIMENSION = 0;

  private static final int SCALE = 14;
  private static final int BIAS = 15;
  private static final int MULTI_BIAS = 16;

  /** What else a table of trees may hold, none of which is supported: fields and why not. */
  private static final int[] REFUSED = {7, 12, 13, 18};

  private static final String[] WHY_REFUSED = {
    "CTR features: " + CatBoostTrees.NO_CTR,
    "text features: not supported, only numbers and categories are",
    "estimated features: not supported, only numbers and categories are",
    "embedding features: not supported, only numbers and categories are"
  };

  /** The part that holds target statistics; without a CTR feature nothing refers to it. */
  private static final String CTR_PART = "static_provider_v1";

  private final BoundedInput input;
  private final int length;
  private final FlatBuffer file;
  private final EnsembleLimits limits;
  private final CatBoostFeatures features;
  private final CatBoostTrees trees;

  private CatBoostBinaryReader(BoundedInput input, int end, EnsembleLimits limits) {
    this.input = input;
    this.length = input.length();
    this.file = new FlatBuffer(input, HEADER_BYTES, end);
    this.limits = limits;
    this.features = new CatBoostFeatures(limits);
    this.trees = new CatBoostTrees(features, limits, length);
  }

  /** Whether the bytes begin as such a file does. */
  private static boolean recognises(BoundedInput input) {
    return input.startsWith(0, MAGIC);
  }

  private static TreeEnsemble read(BoundedInput input, EnsembleLimits limits) {
    if (!recognises(input) || input.length() < HEADER_BYTES) {
      throw InvalidModelException.at(0, "expected " + MAGIC + " and a length");
    }
    long size = littleEndian(input, MAGIC.length());
    if (size > input.length() - HEADER_BYTES) {
      throw InvalidModelException.at(
          MAGIC.length(),
          "core: " + size + " bytes, the file has " + (input.length() - HEADER_BYTES));
    }
    return new CatBoostBinaryReader(input, HEADER_BYTES + (int) size, limits)
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
      if (file.length(file.field(table, REFUSED[i], "trees"), 1, "features") > 0) {
        throw file.failure(table, WHY_REFUSED[i]);
      }
    }
    checkParts(core, end);
    int dimension = file.field(table, DIMENSION, "trees");
    if (dimension != FlatBuffer.ABSENT && file.intAt(dimension, "ApproxDimension") > 1) {
      throw file.failure(
          dimension,
          "ApproxDimension: "
              + file.intAt(dimension, "ApproxDimension")
              + ", only models with one output are supported");
    }
    CatBoostBinaryFeatures splits = new CatBoostBinaryFeatures(file, table, features);
    new CatBoostBinaryTrees(file, table, splits, trees, limits).read();
    int scale = file.field(table, SCALE, "trees");
    return trees.build(
        new ModelSource(FORMAT.format(), "", ""),
        scale == FlatBuffer.ABSENT ? 1 : file.doubleAt(scale, "Scale"),
        bias(table));
  }

  /**
   * What follows the trees: nothing, or target statistics, to which no feature refers: a count and
   * for each a length and a table.
   */
  private void checkParts(int core, int end) {
    int field = file.field(core, MODEL_PARTS, "core");
    int parts = file.length(field, Integer.BYTES, "ModelPartIds");
    int at = end;
    if (parts == 1) {
      String part = file.string(file.elements(field, "ModelPartIds"), "ModelPartIds");
      if (!part.equals(CTR_PART)) {
        throw file.failure(end, "ModelPartIds: text and embedding data are not supported");
      }
      long tables = unsigned(at);
      at += Integer.BYTES;
      for (long table = 0; table < tables; table++) {
        long size = unsigned(at);
        if (size > length - at - Integer.BYTES) {
          throw file.failure(at, CTR_PART + ": table of " + size + " bytes ends past the file");
        }
        at += Integer.BYTES + (int) size;
      }
    }
    if (parts > 1 || at != length) {
      throw file.failure(at, "more after the trees: text and embedding data are not supported");
    }
  }

  /** The four bytes after the core at an offset. */
  private long unsigned(int at) {
    if (at > length - Integer.BYTES) {
      throw file.failure(at, CTR_PART + ": ends past the file");
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

  /** The one bias, which later versions write as a vector, earlier ones as a number. */
  private double bias(int table) {
    int vector = file.field(table, MULTI_BIAS, "trees");
    int biases = file.length(vector, Double.BYTES, "MultiBias");
    if (biases > 1) {
      throw file.failure(
          vector, "MultiBias: " + biases + ", only models with one output are supported");
    }
    int single = file.field(table, BIAS, "trees");
    if (biases == 1) {
      return file.doubleAt(file.elements(vector, "MultiBias"), "MultiBias");
    }
    return single == FlatBuffer.ABSENT ? 0 : file.doubleAt(single, "Bias");
  }
}
