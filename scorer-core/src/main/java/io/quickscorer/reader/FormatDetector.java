// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;

/** Detects the format of a model file from its content. */
final class FormatDetector {
  private FormatDetector() {}

  /**
   * Detects the format of a file from its content.
   *
   * @throws InvalidModelException if the content has no known format
   */
  static FormatReader detect(BoundedInput input) {
    for (FormatReader format : ModelFormats.TABLE) {
      if (format.start().test(input)) {
        // A list of objects can also be a list of Solr models.
        return format.equals(XGBoostDumpReader.FORMAT) && SolrReader.recognises(input)
            ? SolrReader.FORMAT
            : format;
      }
    }
    int first = input.skipWhiteSpace(0);
    int second = input.at(input.skipWhiteSpace(first + 1));
    if (input.at(first) == '{' && second == '"') {
      try {
        return detectObject(DocumentReader.json(input));
      } catch (InvalidModelException e) {
        // Solr's parser accepts more than strict JSON does.
        if (!SolrReader.recognises(input)) {
          throw e;
        }
      }
    }
    if (SolrReader.recognises(input)) {
      return SolrReader.FORMAT;
    }
    throw ForeignFormat.refusal(input);
  }

  /**
   * Returns the format of a JSON object, identified by the first field name that only one format
   * has. An object whose values are all numbers is a linear model.
   */
  private static FormatReader detectObject(DocumentReader reader) {
    boolean weights = true;
    for (String name : reader.fields("document")) {
      if (reader.token() != DocumentReader.NUMBER) {
        weights = false;
        for (FormatReader format : ModelFormats.TABLE) {
          if (format.names().contains(name)) {
            return format;
          }
        }
      }
    }
    if (weights) {
      return LinearJsonReader.FORMAT;
    }
    throw InvalidModelException.unknownFormat("the JSON document is not in a known model format");
  }
}
