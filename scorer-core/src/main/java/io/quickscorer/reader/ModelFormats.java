// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.reader.catboost.CatBoostBinaryReader;
import io.quickscorer.reader.catboost.CatBoostJsonReader;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.lightgbm.LightGbmDumpReader;
import io.quickscorer.reader.lightgbm.LightGbmTextReader;
import io.quickscorer.reader.onnx.OnnxModelReader;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The table of the formats that are read. A new format is a reader in a room of its own, which says
 * how its files are told and what sets its models apart, and a row here.
 */
public final class ModelFormats {
  /** In the order in which a file's first bytes are tried. */
  static final List<FormatReader> TABLE =
      List.of(
          LightGbmTextReader.FORMAT,
          LightGbmDumpReader.FORMAT,
          XGBoostModelReader.JSON,
          XGBoostModelReader.UBJSON,
          XGBoostDumpReader.FORMAT,
          XGBoostTextReader.FORMAT,
          OnnxModelReader.FORMAT,
          CatBoostBinaryReader.FORMAT,
          CatBoostJsonReader.FORMAT,
          RankLibReader.FORMAT,
          RankLibReader.QUICKRANK,
          LinearJsonReader.FORMAT,
          SolrReader.FORMAT,
          StoredModelReader.FORMAT,
          XGBoostBinaryReader.FORMAT);

  /** LightGBM's text file, as {@code Booster.save_model} writes it. */
  public static final ModelFormat LIGHTGBM_TEXT = LightGbmTextReader.FORMAT.format();

  private ModelFormats() {}

  /** The formats that are read, {@link ModelFormat#AUTO} not among them. */
  public static List<ModelFormat> all() {
    return TABLE.stream().map(FormatReader::format).toList();
  }

  /**
   * The format of that name, or {@link ModelFormat#AUTO}.
   *
   * @throws IllegalArgumentException naming the possible ones
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

  /** Who writes files of a format, as people spell it; empty if that may be anybody. */
  public static String trainer(ModelFormat format) {
    FormatReader known = find(format);
    return known == null ? "" : known.trainer();
  }

  /** Whether models of a format have a trait; those of formats that are not read have none. */
  public static boolean has(ModelFormat format, Trait trait) {
    FormatReader known = find(format);
    return known != null && known.traits().contains(trait);
  }

  /**
   * @throws IllegalArgumentException if the format is not of the table
   */
  static FormatReader readerOf(ModelFormat format) {
    FormatReader known = find(format);
    if (known == null) {
      throw new IllegalArgumentException("no reader of " + format);
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
