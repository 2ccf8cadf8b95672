// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.reader.ModelReader;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class GrowingTextsTest {
  /** A column gets a longer name as long as another feature has its name. */
  private static final Set<String> FEW = Set.of("CatBoostFeatures.names");

  @Test
  void textsAreBuiltByBuilders() throws Exception {
    assertEquals(FEW, GrowingTexts.inModuleOf(ModelReader.class));
  }

  @Test
  void plantedOnesAreFound() throws Exception {
    Set<String> found = new TreeSet<>();
    for (String method : GrowingTexts.inModuleOf(Planted.class)) {
      if (method.startsWith("GrowingTextsTest$Planted.")) {
        found.add(method.substring(method.indexOf('.') + 1));
      }
    }
    assertEquals(Set.of("foundField", "foundVariable"), found);
  }

  @SuppressWarnings("unused") // read as bytecode
  private static final class Planted {
    private String joined = "";

    void foundField(List<String> parts) {
      parts.forEach(
          part -> {
            joined += part + ",";
          });
    }

    String foundVariable(List<String> parts) {
      String text = "";
      for (String part : parts) {
        text = text + part;
      }
      return text;
    }

    String other(String part) {
      String text = part + joined;
      joined = "[" + part + "]";
      return text;
    }
  }
}
