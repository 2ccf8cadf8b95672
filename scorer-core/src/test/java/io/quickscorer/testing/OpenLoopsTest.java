// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.reader.ModelReader;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class OpenLoopsTest {
  /** Methods with such a loop, by the reason why it ends. */
  private static final Map<String, List<String>> ENDING =
      Map.of(
          "at the file's end, because each round consumes a byte",
          List.of(
              "BoundedInput.indexOf",
              "ProtoFields.numbers",
              "UbjsonTokens.atEnd",
              "XGBoostBinaryReader.readAttributes",
              "XmlScanner.next",
              "XmlScanner.word"),
          "a limit or a count of steps is checked",
          List.of(
              "CatBoostFeatures.add",
              "LightGbmOldTree.range",
              "OnnxFolding.target",
              "OnnxTrees.build",
              "OnnxTrees.known"),
          "each round makes a longer name, and the names in use are finite",
          List.of("CatBoostFeatures.names", "DerivedColumns.names"),
          "a child has a larger number than its parent, and each round finds a larger position",
          List.of("LightGbmOldTree.add", "OnnxFolding.addChanges"));

  @Test
  void loopsOfReadersEnd() throws Exception {
    assertEquals(
        NumberFlow.listed(ENDING),
        OpenLoops.inModuleOf(
            ModelReader.class, "io/quickscorer/reader/", "io/quickscorer/ensemble/"));
  }

  @Test
  void plantedOnesAreFound() throws Exception {
    Set<String> found = new TreeSet<>();
    try (InputStream in = Planted.class.getResourceAsStream("OpenLoopsTest$Planted.class")) {
      OpenLoops.in(List.of(ClassFile.of().parse(in.readAllBytes())))
          .forEach(method -> found.add(method.replaceAll(".*[.]|[(].*", "")));
    }
    assertEquals(
        Set.of("foundByReference", "foundByTime", "foundByNumber", "foundByContent"), found);
  }

  @SuppressWarnings("unused") // read as bytecode
  private static final class Planted {
    private long window;

    static String foundByReference(Map<String, String> renamed, String name) {
      String last = name;
      while (renamed.containsKey(last)) {
        last = renamed.get(last);
      }
      return last;
    }

    long foundByTime(long now, int[][] counts) {
      long sum = 0;
      while (window < now) {
        for (int[] some : counts) {
          sum += some.length;
        }
        window++;
      }
      return sum;
    }

    static double foundByNumber(double angle) {
      double turned = angle;
      while (turned > 180) {
        turned -= 360;
      }
      return turned;
    }

    static String foundByContent(String text) {
      String content = text;
      while (content.startsWith("<")) {
        content = readContent(content);
      }
      return content;
    }

    private static String readContent(String text) {
      return text.replace("<>", "<");
    }

    static int byIndex(int[] numbers) {
      int sum = 0;
      for (int i = 0; i < numbers.length; i += 2) {
        sum += numbers[i];
      }
      return sum;
    }

    static int byBits(long bits) {
      int sum = 0;
      for (long left = bits; left != 0; left &= left - 1) {
        sum += Long.numberOfTrailingZeros(left);
      }
      return sum;
    }

    static double byIterator(Iterator<Double> numbers) {
      double sum = 0;
      while (numbers.hasNext()) {
        sum += numbers.next();
      }
      return sum;
    }
  }
}
