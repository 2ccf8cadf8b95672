// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.model.FeatureBinding;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The formats of training files that trainers can load. A float is written with enough digits that
 * every parser reads exactly this value, except for some values in {@link #XGBOOST}.
 */
enum LogFormat {
  /**
   * A CSV table with a header line. LightGBM finds the label and the query by the names of their
   * columns; {@code nan} is a missing value.
   */
  LIGHTGBM("text/csv; charset=UTF-8", Qids.NUMBERS) {
    @Override
    String header(List<String> features) {
      return "label,qid," + String.join(",", features) + '\n';
    }

    @Override
    String row(Row row) {
      StringBuilder line = new StringBuilder(number(row.label)).append(',').append(row.qid);
      for (float value : row.values) {
        line.append(',').append(Float.isNaN(value) ? "nan" : number(value));
      }
      return line.append('\n').toString();
    }

    /** Returns parameters for LightGBM that contain the names of the columns. */
    @Override
    String columns(List<String> features, Set<String> categorical) {
      String parameters =
          """
          header=true
          label_column=name:label
          group_column=name:qid
          precise_float_parser=true
          """;
      List<String> named = features.stream().filter(categorical::contains).toList();
      return named.isEmpty()
          ? parameters
          : parameters + "categorical_feature=name:" + String.join(",", named) + '\n';
    }

    @Override
    void check(String feature) {
      if (feature.chars().anyMatch(c -> c <= ' ' || ",:\"[]{}".indexOf(c) >= 0)
          || feature.equals("label")
          || feature.equals("qid")) {
        throw unfit(
            "LightGBM",
            feature,
            "the names label and qid, blanks, and the characters , : \" [ ] { }");
      }
    }
  },

  /**
   * Lines such as {@code label qid:1 0:0.5 2:1.5}: features are numbered from 0, and an omitted
   * feature has no value. The rows of a query are consecutive, and the numbers of the queries
   * ascend. XGBoost reads values from 2^-38 to 2^64 exactly if they are written without an
   * exponent. It reads other values inexactly.
   */
  XGBOOST("text/plain; charset=UTF-8", Qids.ASCENDING) {
    @Override
    String row(Row row) {
      return sparse(row, 0, "", LogFormat::plain).append('\n').toString();
    }

    /**
     * Returns a feature map, a file for XGBoost with one line per feature: number, name, and {@code
     * q} for a numeric feature or {@code c} for a category.
     */
    @Override
    String columns(List<String> features, Set<String> categorical) {
      StringBuilder map = new StringBuilder();
      for (int f = 0; f < features.size(); f++) {
        map.append(f).append('\t').append(features.get(f));
        map.append(categorical.contains(features.get(f)) ? "\tc\n" : "\tq\n");
      }
      return map.toString();
    }

    @Override
    void check(String feature) {
      if (feature.chars().anyMatch(c -> c <= ' ' || "[]<>".indexOf(c) >= 0)) {
        throw unfit("XGBoost", feature, "blanks, and the characters [ ] < >");
      }
    }
  },

  /**
   * Lines with columns separated by tabs: label, query, document and the feature values. An empty
   * field is a missing value.
   */
  CATBOOST("text/tab-separated-values; charset=UTF-8", Qids.ANY) {
    @Override
    String row(Row row) {
      StringBuilder line = new StringBuilder(number(row.label));
      line.append('\t').append(quoted(oneLine(String.valueOf(row.qid))));
      line.append('\t').append(quoted(oneLine(row.id)));
      for (float value : row.values) {
        line.append('\t').append(Float.isNaN(value) ? "" : number(value));
      }
      return line.append('\n').toString();
    }

    /** Returns the column description for CatBoost (a {@code .cd} file). */
    @Override
    String columns(List<String> features, Set<String> categorical) {
      StringBuilder columns = new StringBuilder("0\tLabel\n1\tGroupId\n2\tSampleId\n");
      for (int f = 0; f < features.size(); f++) {
        columns.append(f + 3);
        columns.append(categorical.contains(features.get(f)) ? "\tCateg\t" : "\tNum\t");
        columns.append(features.get(f)).append('\n');
      }
      return columns.toString();
    }

    @Override
    void check(String feature) {
      if (feature.chars().anyMatch(Character::isISOControl)) {
        throw unfit("CatBoost", feature, "control characters");
      }
    }
  },

  /**
   * Lines such as {@code label qid:1 1:0.5 2:0 # id}: features are numbered from 1. Missing values
   * are written as 0, because RankLib has no missing values and rejects rows that lack features.
   * Comments at the start of the file name the features.
   */
  RANKLIB("text/plain; charset=UTF-8", Qids.NUMBERS) {
    @Override
    String header(List<String> features) {
      return columns(features, Set.of())
          .lines()
          .map(line -> "# " + line + '\n')
          .collect(Collectors.joining());
    }

    @Override
    String row(Row row) {
      return sparse(row, 1, "0", LogFormat::number)
          .append(" # ")
          .append(oneLine(row.id))
          .append('\n')
          .toString();
    }

    @Override
    String columns(List<String> features, Set<String> categorical) {
      StringBuilder names = new StringBuilder();
      for (int f = 0; f < features.size(); f++) {
        names.append(f + 1).append('\t').append(oneLine(features.get(f))).append('\n');
      }
      return names.toString();
    }
  },

  /**
   * Columns separated by commas; the header names the features. An empty field is a missing value.
   */
  CSV("text/csv; charset=UTF-8", Qids.ANY) {
    @Override
    String header(List<String> features) {
      StringBuilder line = new StringBuilder("label,qid,_id");
      features.forEach(name -> line.append(',').append(quoted(name)));
      return line.append('\n').toString();
    }

    @Override
    String row(Row row) {
      StringBuilder line = new StringBuilder();
      line.append(number(row.label)).append(',').append(quoted(String.valueOf(row.qid)));
      line.append(',').append(quoted(row.id));
      for (float value : row.values) {
        line.append(',').append(Float.isNaN(value) ? "" : number(value));
      }
      return line.append('\n').toString();
    }

    @Override
    void check(String feature) {
      if (Set.of("label", "qid", "_id").contains(feature)) {
        throw new IllegalArgumentException(
            "feature ["
                + feature
                + "]: format [csv] has another column with this name; rename the feature, or use"
                + " format [ndjson]");
      }
    }
  },

  /**
   * Lines of JSON: first an object with {@code feature_names}, then one object per row. A missing
   * value is null.
   */
  NDJSON("application/x-ndjson; charset=UTF-8", Qids.ANY) {
    @Override
    String header(List<String> features) throws IOException {
      return line(json -> json.field("feature_names", features));
    }

    @Override
    String row(Row row) throws IOException {
      return line(
          json -> {
            json.field("qid", row.qid).field("_id", row.id);
            json.field("label", row.label).startArray("features");
            for (float value : row.values) {
              if (Float.isNaN(value)) {
                json.nullValue();
              } else {
                json.value((double) value);
              }
            }
            json.endArray();
          });
    }

    private String line(BoundedContent.Writing fields) {
      return BoundedContent.json(
                  BoundedContent.MAX_OWN,
                  json -> {
                    json.startObject();
                    fields.to(json);
                    json.endObject();
                  })
              .utf8ToString()
          + "\n";
    }
  };

  /** The rule for the ids ({@code qid}) of queries in a training file. */
  enum Qids {
    /** The ids may be whole numbers and strings. */
    ANY,
    /** The ids must be whole numbers, 0 or more. */
    NUMBERS,
    /** The ids must be whole numbers, 0 or more, each larger than the one before. */
    ASCENDING
  }

  /** Rounds to 17 significant decimal digits, enough to distinguish all doubles. */
  private static final MathContext DIGITS = new MathContext(17);

  private final String contentType;
  private final Qids qids;

  LogFormat(String contentType, Qids qids) {
    this.contentType = contentType;
    this.qids = qids;
  }

  /**
   * A row of a training file: a document of a query, with its label and its feature values.
   *
   * @param qid the id of the query
   * @param id the id of the document
   * @param label the label (grade of relevance)
   * @param values the feature values; NaN for a missing value
   */
  record Row(Object qid, String id, Number label, float[] values) {}

  /** Returns the lines before the first row; empty if the format has none. */
  String header(List<String> features) throws IOException {
    return "";
  }

  abstract String row(Row row) throws IOException;

  /**
   * Returns the content of a separate file that describes the columns for the trainer.
   *
   * @param features the names of the features
   * @param categorical the names of the features whose values are codes of categories
   * @throws IllegalArgumentException (400) if the format needs no separate file
   */
  String columns(List<String> features, Set<String> categorical) {
    throw new IllegalArgumentException(
        "file: format ["
            + EnumNames.of(this)
            + "] has no separate file of columns, because its data contains the feature names");
  }

  /**
   * Checks that the trainer accepts a feature's name.
   *
   * @throws IllegalArgumentException (400) if the trainer does not accept the name
   */
  void check(String feature) {}

  Qids qids() {
    return qids;
  }

  String contentType() {
    return contentType;
  }

  static LogFormat of(String label) {
    LogFormat format = EnumNames.find(LogFormat.class, label);
    if (format == null) {
      throw new IllegalArgumentException(
          "format: found ["
              + FeatureBinding.shown(label)
              + "], expected one of "
              + EnumNames.all(LogFormat.class));
    }
    return format;
  }

  /**
   * Returns a row of a training file in which each value follows the number of its feature, such as
   * {@code 3:0.5}.
   *
   * @param first the number of the first feature
   * @param missing the text for a missing value, or empty to leave it out
   * @param text converts a value to text
   */
  private static StringBuilder sparse(
      Row row, int first, String missing, Function<Float, String> text) {
    StringBuilder line = new StringBuilder(number(row.label)).append(" qid:").append(row.qid);
    for (int f = 0; f < row.values.length; f++) {
      String value = Float.isNaN(row.values[f]) ? missing : text.apply(row.values[f]);
      if (!value.isEmpty()) {
        line.append(' ').append(f + first).append(':').append(value);
      }
    }
    return line;
  }

  /** Returns a text as a field of a CSV row, quoted as in RFC 4180 if necessary. */
  private static String quoted(String text) {
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /**
   * Returns a number as text. Whole numbers are written without a decimal point, because CatBoost
   * requires this for codes of categories.
   */
  private static String number(Number number) {
    double value = number.doubleValue();
    boolean negativeZero = value == 0 && 1 / value < 0;
    return value == Math.rint(value) && Math.abs(value) < 1e15 && !negativeZero
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** Returns a float as text, without an exponent if XGBoost would otherwise read another value. */
  private static String plain(float value) {
    float size = Math.abs(value);
    return size >= 0x1p-38f && size < 0x1p64f
        ? new BigDecimal(value).round(DIGITS).toPlainString()
        : number(value);
  }

  private static IllegalArgumentException unfit(String trainer, String feature, String without) {
    return new IllegalArgumentException(
        "feature ["
            + feature
            + "]: "
            + trainer
            + " does not accept this name; not allowed are "
            + without
            + "; rename the feature, or use format [csv]");
  }
}
