// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.reader.catboost.CatBoostBinaryReader;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.lightgbm.LightGbmTextReader;
import io.quickscorer.reader.onnx.OnnxModelReader;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The table of supported formats. A new format needs an entry in this table, and a reader in a
 * package of its own. The reader declares how its files are recognised and which traits its models
 * have.
 */
public final class ModelFormats {
  /** The supported formats, in the order in which they are compared with a file's first bytes. */
  static final List<FormatReader> TABLE =
      List.of(
          LightGbmTextReader.FORMAT,
          LightGbmTextReader.JSON,
          XGBoostModelReader.JSON,
          XGBoostModelReader.UBJSON,
          XGBoostDumpReader.FORMAT,
          XGBoostTextReader.FORMAT,
          OnnxModelReader.FORMAT,
          CatBoostBinaryReader.FORMAT,
          CatBoostBinaryReader.JSON,
          RankLibReader.FORMAT,
          RankLibReader.QUICKRANK,
          LinearJsonReader.FORMAT,
          SolrReader.FORMAT,
          StoredModelReader.FORMAT,
          XGBoostBinaryReader.FORMAT);

  /** The format of LightGBM's text file, which {@code Booster.save_model} writes. */
  public static final ModelFormat LIGHTGBM_TEXT = LightGbmTextReader.FORMAT.format();

  private ModelFormats() {}

  /** Returns the supported formats, without {@link ModelFormat#AUTO}. */
  public static List<ModelFormat> all() {
    return TABLE.stream().map(FormatReader::format).toList();
  }

  /**
   * Returns the format with a name, which can be {@link ModelFormat#AUTO}; case does not matter.
   *
   * @throws IllegalArgumentException if there is none; the message lists the possible names
   */
  public static ModelFormat of(String label) {
    ModelFormat format = new ModelFormat(label.toLowerCase(Locale.ROOT));
    if (format.equals(ModelFormat.AUTO) || find(format) != null) {
      return format;
    }
    throw new IllegalArgumentException(
        all().stream()
            .map(ModelFormat::label)
            .collect(
                Collectors.joining(
                    ", ", "unknown model format, expected one of " + ModelFormat.AUTO + ", ", "")));
  }

  /**
   * Returns the name of the trainer that writes files of a format; an empty text if there may be
   * several trainers.
   */
  public static String trainer(ModelFormat format) {
    FormatReader known = find(format);
    return known == null ? "" : known.trainer();
  }

  /** Returns whether models of a format have a property; false for unsupported formats. */
  public static boolean has(ModelFormat format, Trait trait) {
    FormatReader known = find(format);
    return known != null && known.traits().contains(trait);
  }

  /**
   * Returns the reader of a format.
   *
   * @throws IllegalArgumentException if the format is not supported
   */
  static FormatReader readerOf(ModelFormat format) {
    FormatReader known = find(format);
    if (known == null) {
      throw new IllegalArgumentException(
          "reading models of format " + format + " is not supported");
    }
    return known;
  }

  private static @Nullable FormatReader find(ModelFormat format) {
    for (FormatReader row : TABLE) {
      if (row.format().equals(format)) {
        return row;
      }
    }
    return null;
  }
}
