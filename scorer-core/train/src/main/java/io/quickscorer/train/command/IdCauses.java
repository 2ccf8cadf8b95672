// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.train.cluster.DocumentIds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds likely reasons why judged documents are not in an index, by comparing ids. */
final class IdCauses {
  private static final int SAMPLE = 50;
  private static final int MAX_CAUSES = 3;
  private static final int MAX_AFFIX = 20;

  /** Minimum share (0 to 1) of the sampled ids that a cause must explain, to exclude chance. */
  private static final double SHARE = 0.2;

  private final DocumentIds index;
  private final @Nullable String field;
  private final List<String> sample;
  private final double found;

  /**
   * A change of the ids after which they may match documents.
   *
   * @param fix a description of the change, for users
   * @param function changes an id
   */
  private record Change(String fix, UnaryOperator<String> function) {}

  /** A likely cause of missing ids, with the number of sampled ids that it explains. */
  private record Cause(String sentence, long found) {}

  /**
   * Prepares a search for the causes of missing ids.
   *
   * @param field the field that was searched; null for {@code _id}
   * @param missing the ids that were not found, at least 1
   * @param found the share of all judged documents that were found, 0 to 1
   */
  IdCauses(DocumentIds index, @Nullable String field, List<String> missing, double found) {
    this.index = index;
    this.field = field;
    this.found = found;
    int step = Math.max(1, missing.size() / SAMPLE);
    sample =
        IntStream.range(0, Math.min(SAMPLE, missing.size()))
            .mapToObj(i -> missing.get(i * step))
            .toList();
  }

  /**
   * Returns sentences with the likely causes, the likeliest first. Without a likely cause, returns
   * one sentence that gives examples of ids, or says that the index is empty.
   */
  List<String> sentences() {
    List<String> indexed = index.some(SAMPLE);
    List<Cause> causes = new ArrayList<>(changed(changes(indexed)));
    if (field != null) {
      causes.add(
          new Cause(
              "the judged ids are the documents' _id: omit --id-field",
              index.find(sample, null).size()));
    }
    // Some ids match a numeric field, such as a count, by chance. So a field counts only if it
    // matches more ids than the searched field.
    index.byField(sample).entrySet().stream()
        .filter(matches -> matches.getValue() > found * sample.size())
        .map(
            matches ->
                new Cause(
                    "field ["
                        + matches.getKey()
                        + "] contains the judged ids: use --id-field "
                        + matches.getKey(),
                    matches.getValue()))
        .forEach(causes::add);
    List<String> likely =
        causes.stream()
            .filter(cause -> cause.found >= Math.max(1, SHARE * sample.size()))
            .sorted(Comparator.comparingLong((Cause cause) -> -cause.found))
            .limit(MAX_CAUSES)
            .map(
                cause ->
                    cause.sentence
                        + " ("
                        + Math.min(cause.found, sample.size())
                        + " of "
                        + sample.size()
                        + " tried)")
            .toList();
    if (!likely.isEmpty()) {
      return likely;
    }
    if (indexed.isEmpty()) {
      return List.of("the index has no documents");
    }
    return List.of(
        found > 0
            ? "the index contains only a part of the judged documents: it lacks ["
                + sample.getFirst()
                + "], and contains ["
                + indexed.getFirst()
                + "]; to train on this part, lower --min-coverage to "
                + Math.floor(100 * found) / 100
            : "a judged id is ["
                + sample.getFirst()
                + "], an _id of the index is ["
                + indexed.getFirst()
                + "]: check --index, or set the field with the ids by --id-field");
  }

  private List<Cause> changed(List<Change> changes) {
    Set<String> tried = new HashSet<>();
    changes.forEach(change -> sample.forEach(id -> tried.add(change.function.apply(id))));
    tried.removeIf(String::isEmpty);
    Set<String> present = index.find(tried, field).keySet();
    Map<String, Cause> best = new HashMap<>();
    for (Change change : changes) {
      long found =
          sample.stream()
              .filter(
                  id ->
                      !change.function.apply(id).equals(id)
                          && present.contains(change.function.apply(id)))
              .count();
      // Prefixes and suffixes of several lengths may match; only the one that explains most ids
      // counts.
      best.merge(
          change.fix.replaceAll("\\[.*]", ""),
          new Cause(change.fix, found),
          (a, b) -> b.found > a.found ? b : a);
    }
    return List.copyOf(best.values());
  }

  private List<Change> changes(List<String> indexed) {
    List<Change> changes = new ArrayList<>();
    changes.add(
        new Change("the judged ids contain blanks: remove the blanks", IdCauses::withoutBlanks));
    changes.add(
        new Change(
            "the ids of the index are in lower case: change the case of the judged ids",
            id -> id.toLowerCase(Locale.ROOT)));
    changes.add(
        new Change(
            "the ids of the index are in upper case: change the case of the judged ids",
            id -> id.toUpperCase(Locale.ROOT)));
    changes.add(
        new Change(
            "the judged ids end in .0, as from a spreadsheet: remove the .0",
            id -> id.replaceAll("\\.0$", "")));
    changes.add(
        new Change(
            "the judged ids begin with zeros: remove the zeros", id -> id.replaceAll("^0+", "")));
    for (int length = 1; length <= MAX_AFFIX; length++) {
      String prefix = common(sample, length, false);
      String suffix = common(sample, length, true);
      String wantedPrefix = common(indexed, length, false);
      String wantedSuffix = common(indexed, length, true);
      // An empty prefix or suffix changes no id, so that it is no cause.
      changes.add(
          new Change(
              "the judged ids begin with [" + prefix + "]: remove this prefix",
              id -> id.startsWith(prefix) ? id.substring(prefix.length()) : id));
      changes.add(
          new Change(
              "the judged ids end in [" + suffix + "]: remove this suffix",
              id -> id.endsWith(suffix) ? id.substring(0, id.length() - suffix.length()) : id));
      changes.add(
          new Change(
              "the ids of the index begin with ["
                  + wantedPrefix
                  + "]: add this prefix to the judged ids",
              id -> wantedPrefix + id));
      changes.add(
          new Change(
              "the ids of the index end in ["
                  + wantedSuffix
                  + "]: add this suffix to the judged ids",
              id -> id + wantedSuffix));
    }
    return changes;
  }

  /**
   * Returns the prefix or suffix that most ids have; empty if there is none.
   *
   * @param length the length of the prefix or suffix, in characters
   * @param end true for a suffix, false for a prefix
   */
  private static String common(List<String> ids, int length, boolean end) {
    return ids.stream()
        .filter(id -> id.length() >= length)
        .map(id -> end ? id.substring(id.length() - length) : id.substring(0, length))
        .collect(Collectors.groupingBy(affix -> affix, Collectors.counting()))
        .entrySet()
        .stream()
        .filter(affix -> affix.getValue() >= SHARE * ids.size())
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  private static String withoutBlanks(String id) {
    return id.replaceAll("[\\s\\u00a0\\ufeff]", "");
  }
}
