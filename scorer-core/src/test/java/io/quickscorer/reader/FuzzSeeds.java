// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.reader.input.BoundedInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where fuzzing starts: the small models of {@link DamagedModelsTest}, the trainers' smallest
 * files, those of {@link Traps}, and the words that occur in them.
 */
final class FuzzSeeds {
  /** Longer seeds slow fuzzing down more than they help it. */
  static final int MAX_LENGTH = 4_096;

  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_:.=|-]{1,38}");

  private static final List<String> EXTREMES =
      List.of(
          "-1",
          "0",
          "-0",
          "1e999",
          "-1e999",
          "1e-400",
          "2147483647",
          "2147483648",
          "-2147483648",
          "4294967296",
          "9223372036854775807",
          "1e300",
          "16777216",
          "NaN",
          "Infinity",
          "-inf",
          "null",
          "true",
          "[]",
          "{}",
          "[[",
          "\"\"",
          "\u0000",
          "\u00ff",
          "[$d#l",
          "[$L#l",
          "[$Z#l",
          "{$S#",
          "[#i",
          "<!DOCTYPE a>",
          "<!--",
          "-->",
          "&lt;",
          "<![CDATA[");

  private FuzzSeeds() {}

  /** The seeds of a format; those of all formats for {@link ModelFormat#AUTO}. */
  static List<byte[]> of(ModelFormat format) {
    Map<ModelFormat, List<byte[]>> seeds = new LinkedHashMap<>();
    seeds.put(ModelFormat.AUTO, new ArrayList<>());
    for (ModelFormat each : ModelFormats.all()) {
      seeds.put(each, new ArrayList<>());
    }
    // A label is a format, and perhaps what is special about the model.
    DamagedModelsTest.models()
        .forEach((label, model) -> seeds.get(ModelFormats.of(label.split(" ")[0])).add(model));
    List<Fixture> fixtures = new ArrayList<>(Fixture.all());
    fixtures.addAll(Fixture.ofCategories());
    for (Fixture fixture : fixtures) {
      for (String encoding : fixture.encodings()) {
        byte[] model = fixture.model(encoding);
        if (model.length <= MAX_LENGTH) {
          seeds.get(FormatDetector.detect(BoundedInput.of(model)).format()).add(model);
        }
      }
    }
    for (Traps.Trap trap : Traps.all()) {
      if (trap.file().length <= MAX_LENGTH) {
        seeds.get(trap.format()).add(trap.file());
      }
    }
    if (format.equals(ModelFormat.AUTO)) {
      return seeds.values().stream().flatMap(List::stream).toList();
    }
    return seeds.get(format);
  }

  /** Writes the inputs that stand for the seeds into a folder, one file each. */
  static void writeTo(Path folder, ModelFormat format) throws IOException {
    Files.createDirectories(folder);
    List<byte[]> seeds = of(format);
    for (int i = 0; i < seeds.size(); i++) {
      for (byte[] input : FuzzTarget.inputs(seeds.get(i), format)) {
        Files.write(folder.resolve("seed-" + i + "-" + input[0]), input);
      }
    }
  }

  /** Writes the words of the seeds as a dictionary in libFuzzer's syntax. */
  static void writeDictionary(Path file, ModelFormat format) throws IOException {
    Set<String> words = new TreeSet<>(EXTREMES);
    for (byte[] seed : of(format)) {
      Matcher matcher = WORD.matcher(new String(seed, StandardCharsets.ISO_8859_1));
      while (matcher.find()) {
        words.add(matcher.group());
      }
    }
    StringBuilder lines = new StringBuilder();
    for (String word : words) {
      lines.append('"');
      for (byte b : word.getBytes(StandardCharsets.ISO_8859_1)) {
        lines.append(String.format(Locale.ROOT, "\\x%02x", b));
      }
      lines.append("\"\n");
    }
    Files.writeString(file, lines);
  }
}
