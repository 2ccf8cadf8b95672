// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonToken;

/**
 * Finds one Solr model in a file that can contain several: Solr's own {@code
 * _schema_model-store.json}, or a list of models that can be uploaded.
 */
final class SolrStore {
  private static final int SHOWN_MODELS = 20;

  /** A model's name, and the byte offsets of its start (inclusive) and its end (exclusive). */
  private record Entry(String name, int start, int end) {}

  private final DocumentReader reader;
  private final List<Entry> entries = new ArrayList<>();

  private SolrStore(BoundedInput input) {
    this.reader = DocumentReader.json(input);
  }

  /**
   * Returns a copy of the file in which only the bytes of one model remain, and all others are
   * spaces. Returns the file itself if it is not a list of models.
   *
   * @param name the name of the model; empty if the store has only one
   * @throws InvalidModelException if not exactly one model has the name; the message lists the
   *     models
   */
  static BoundedInput one(BoundedInput input, String name) {
    SolrStore store = new SolrStore(input);
    if (!store.read()) {
      if (!name.isEmpty()) {
        throw InvalidModelException.at(
            0, "model: the file contains a single model; leave out the name");
      }
      return input;
    }
    Entry entry = store.choose(name);
    byte[] alone = new byte[input.length()];
    Arrays.fill(alone, (byte) ' ');
    System.arraycopy(input.bytes(), entry.start, alone, entry.start, entry.end - entry.start);
    return BoundedInput.ofPlain(alone);
  }

  /** Reads the list of models in the file. Returns false if the file contains no such list. */
  private boolean read() {
    if (reader.token() == JsonToken.START_ARRAY) {
      readModels("models");
      return true;
    }
    for (String name : reader.fields("document")) {
      if (name.equals("managedList")) {
        readModels(name);
        return true;
      }
    }
    return false;
  }

  private void readModels(String list) {
    for (JsonToken _ : reader.elements(list)) {
      int start = Math.toIntExact(reader.offset());
      String model = "";
      for (String name : reader.fields("model")) {
        model = name.equals("name") ? reader.string(name) : model;
      }
      entries.add(new Entry(model, start, Math.toIntExact(reader.offset()) + 1));
    }
  }

  private Entry choose(String name) {
    List<Entry> named =
        name.isEmpty() ? entries : entries.stream().filter(e -> e.name.equals(name)).toList();
    if (named.size() == 1) {
      return named.getFirst();
    }
    List<String> shown =
        entries.stream()
            .limit(SHOWN_MODELS)
            .map(entry -> InvalidModelException.shown(entry.name))
            .toList();
    throw InvalidModelException.at(
        0,
        (name.isEmpty() ? "" : "not exactly one model has this name: ")
            + "the store has "
            + entries.size()
            + " models"
            + (entries.isEmpty() ? "" : "; choose one of " + shown)
            + (entries.size() > SHOWN_MODELS ? " and others" : ""));
  }
}
