// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import io.quickscorer.demo.corpus.Corpus;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Enlarges a corpus with modified copies of its documents. In each copy, some words are omitted or
 * replaced, and numbers change by up to 10 %. The result is the same on all machines.
 */
final class CopiedCorpus {
  private static final long SEED = 20261121;
  private static final double CHANGED = 0.2;

  private final Corpus corpus;
  private final List<String> words = new ArrayList<>();

  CopiedCorpus(Corpus corpus) {
    this.corpus = corpus;
    for (Corpus.Document document : corpus.documents()) {
      String body = document.source().path(corpus.fields().body()).asString("");
      words.addAll(
          List.of(body.split("\\s+", 8)).subList(0, Math.min(7, body.split("\\s+", 8).length)));
    }
  }

  /**
   * Returns the documents of one copy of the corpus.
   *
   * @param number which copy: 0 is the original corpus, others are modified
   */
  List<Corpus.Document> copy(int number) {
    if (number == 0) {
      return corpus.documents();
    }
    Random random = new Random(SEED + number);
    List<Corpus.Document> copies = new ArrayList<>();
    for (Corpus.Document document : corpus.documents()) {
      ObjectNode source = document.source().deepCopy();
      for (String field : corpus.fields().text()) {
        changeText(source, field, random);
      }
      for (String field : corpus.fields().numbers()) {
        changeNumber(source, field, random);
      }
      copies.add(new Corpus.Document(number + "-" + document.id(), source));
    }
    return copies;
  }

  private void changeText(ObjectNode source, String field, Random random) {
    JsonNode value = source.path(field);
    if (value instanceof ArrayNode values) {
      for (int i = values.size() - 1; i >= 0; i--) {
        if (values.size() > 1 && random.nextDouble() < CHANGED) {
          values.remove(i);
        }
      }
    } else if (value.isString()) {
      StringBuilder text = new StringBuilder();
      for (String word : value.asString().split("\\s+")) {
        double draw = random.nextDouble();
        if (draw > CHANGED / 2) {
          text.append(draw > CHANGED ? word : words.get(random.nextInt(words.size()))).append(' ');
        }
      }
      source.put(field, text.toString().strip());
    }
  }

  private static void changeNumber(ObjectNode source, String field, Random random) {
    JsonNode value = source.path(field);
    double factor = 1 + random.nextInt(-10, 11) / 100.;
    if (value.isIntegralNumber()) {
      source.put(field, Math.round(value.asLong() * factor));
    } else if (value.isNumber()) {
      source.put(field, (float) (value.asDouble() * factor));
    }
  }
}
