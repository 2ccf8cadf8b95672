package io.quickscorer.cli;

import io.quickscorer.ensemble.TreeEnsemble;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table whose first line names its columns; fields are separated by tabs if that line has one,
 * else by commas, and may be quoted. An empty field is missing. Columns the model does not know are
 * passed over; a feature that some split tests must have a column.
 */
final class TableRows implements Rows {
  private final BufferedReader reader;
  private final char separator;
  private final int[] featureOf;
  private final float[] row;
  private long line = 1;

  TableRows(BufferedReader reader, TreeEnsemble ensemble) throws IOException, Failure {
    this.reader = reader;
    String header = String.valueOf(reader.readLine());
    this.separator = header.indexOf('\t') >= 0 ? '\t' : ',';
    List<String> names = fields(header);
    this.featureOf = featureOf(names, ensemble);
    this.row = new float[ensemble.featureNames().size()];
  }

  private static int[] featureOf(List<String> columns, TreeEnsemble ensemble) throws Failure {
    Map<String, Integer> features = new HashMap<>();
    for (String name : ensemble.featureNames()) {
      features.put(name, features.size());
    }
    int[] featureOf = new int[columns.size()];
    boolean[] given = new boolean[features.size()];
    for (int column = 0; column < featureOf.length; column++) {
      String name = columns.get(column);
      featureOf[column] = features.getOrDefault(name, features.getOrDefault(name.strip(), -1));
      if (featureOf[column] >= 0) {
        if (given[featureOf[column]]) {
          throw Failure.data(1, "column " + (column + 1) + ": its name is already taken");
        }
        given[featureOf[column]] = true;
      }
    }
    for (int f = 0; f < given.length; f++) {
      if (ensemble.uses(f) && !given[f]) {
        throw Failure.data(
            1, "no column for the model's feature " + ensemble.featureNames().get(f));
      }
    }
    return featureOf;
  }

  @Override
  public float @Nullable [] next() throws IOException, Failure {
    String text;
    do {
      text = reader.readLine();
      line++;
    } while (text != null && text.isEmpty() && featureOf.length > 1);
    if (text == null) {
      return null;
    }
    List<String> fields = fields(text);
    if (fields.size() != featureOf.length) {
      throw Failure.data(line, fields.size() + " fields, expected " + featureOf.length);
    }
    Arrays.fill(row, Float.NaN);
    for (int column = 0; column < featureOf.length; column++) {
      if (featureOf[column] >= 0) {
        row[featureOf[column]] = Values.parse(fields.get(column), line);
      }
    }
    return row;
  }

  private List<String> fields(String text) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
        field.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == separator && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString());
    return fields;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
