// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads a file with the texts of categories: a JSON object with a list for each feature. */
final class CategoryTexts {
  private CategoryTexts() {}

  static Map<String, List<String>> read(Path file) throws Failure {
    try (JsonParser parser =
        new JsonFactory().createParser(ObjectReadContext.empty(), Files.readAllBytes(file))) {
      Map<String, List<String>> categories = new HashMap<>();
      expect(parser.nextToken() == JsonToken.START_OBJECT, file);
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String feature = parser.currentName();
        expect(parser.nextToken() == JsonToken.START_ARRAY, file);
        List<String> texts = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          expect(parser.currentToken() == JsonToken.VALUE_STRING, file);
          texts.add(parser.getString());
        }
        expect(new HashSet<>(texts).size() == texts.size(), file);
        expect(categories.put(feature, texts) == null, file);
      }
      expect(parser.nextToken() == null, file);
      return categories;
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (JacksonException e) {
      throw invalid(file);
    }
  }

  private static void expect(boolean holds, Path file) throws Failure {
    if (!holds) {
      throw invalid(file);
    }
  }

  private static Failure invalid(Path file) {
    return Failure.usage(
        "--categories: "
            + file
            + ": expected a JSON object with a list of distinct strings for each feature");
  }
}
