// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The paths of the files in the folder of a training. Each file has a fixed name. */
record FolderFiles(Path folder) {
  static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  void create() throws Failure {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw Failure.unwritable(folder, e);
    }
  }

  Path features() {
    return folder.resolve("features.ndjson");
  }

  Path report() {
    return folder.resolve("report.html");
  }

  /** Returns the path of the file with the result of the last evaluation. */
  Path result() {
    return folder.resolve("result.json");
  }

  Path model() throws Failure {
    return folder.resolve(made().get("model").asString());
  }

  /** Returns the path of the file with the data and options of the training. */
  Path training() {
    return folder.resolve("training.json");
  }

  /** Returns the content of {@link #training}. */
  JsonNode made() throws Failure {
    JsonNode made = json(training());
    if (!made.path("model").isString() || !made.path("held_out").isArray()) {
      throw Failure.data(1, "expected {\"model\": ..., \"held_out\": [...]}").in(training());
    }
    return made;
  }

  /** Returns the path of the file with the best search query that needs no model. */
  Path tuned() {
    return folder.resolve("tuned.json");
  }

  /** Returns the path of the file with the rankings of the model that searches use now. */
  Path live() {
    return folder.resolve("live.json");
  }

  Path latency() {
    return folder.resolve("latency.json");
  }

  /** Returns the path of the file with the costs of features and rankings. */
  Path cost() {
    return folder.resolve("cost.json");
  }

  Path parity() {
    return folder.resolve("parity.json");
  }

  /**
   * Deletes the files of the previous training, so that a training that is stopped does not leave a
   * mixture of old and new files.
   */
  void forget() throws Failure {
    for (Path old :
        List.of(training(), result(), report(), parity(), tuned(), live(), latency(), cost())) {
      try {
        Files.deleteIfExists(old);
      } catch (IOException e) {
        throw Failure.unwritable(old, e);
      }
    }
  }

  static JsonNode json(Path file) throws Failure {
    try {
      return JSON.readTree(Files.readString(file));
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      int line = at == null ? 1 : Math.max(1, at.getLineNr());
      throw Failure.data(line, "not JSON: " + e.getOriginalMessage()).in(file);
    }
  }

  /** Returns the record in a JSON file of measurements; null if the file does not exist. */
  static <T> @Nullable T read(Path file, Class<T> type) throws Failure {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      return JSON.treeToValue(json(file), type);
    } catch (JacksonException e) {
      throw Failure.data(1, e.getOriginalMessage()).in(file);
    }
  }

  static void write(Path file, Object json) throws Failure {
    try {
      if (json instanceof byte[] bytes) {
        Files.write(file, bytes);
      } else {
        Files.writeString(file, json instanceof String text ? text : JSON.writeValueAsString(json));
      }
    } catch (IOException e) {
      throw Failure.unwritable(file, e);
    }
  }
}
