// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.common;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.input.BoundedInput;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * A supported format of model files: how to recognise a file, the code that reads it, and the
 * traits of its models. Each reader defines its own format, and the class {@code ModelFormats}
 * lists them. Immutable.
 *
 * @param format the name of the format
 * @param trainer the name of the trainer that writes such files; empty if there may be several
 * @param reader reads a file
 * @param start returns whether the first bytes of a file show that it has this format
 * @param names the names of fields that only JSON documents of this format have
 * @param traits the properties of its models
 */
public record FormatReader(
    ModelFormat format,
    String trainer,
    Reader reader,
    Predicate<BoundedInput> start,
    Set<String> names,
    Set<Trait> traits) {
  /** Reads a file of one format. */
  public interface Reader {
    /**
     * Reads a model.
     *
     * @throws InvalidModelException if the bytes are not a valid model within the limits, or the
     *     options do not fit the model
     */
    TreeEnsemble read(BoundedInput input, EnsembleLimits limits, ReadOptions options);
  }

  public FormatReader {
    names = Set.copyOf(names);
    traits = Set.copyOf(traits);
  }

  /**
   * Creates a format whose only read option is the number of the output to score. It recognises no
   * file until {@link #startingAs} or {@link #withFields} adds a rule.
   */
  public static FormatReader of(String label, String trainer, Reader reader) {
    return ofOptions(
        label,
        trainer,
        (input, limits, options) -> {
          options.noCategories();
          options.noModel();
          return reader.read(input, limits, options);
        });
  }

  /**
   * Creates a format whose reader checks all read options. It recognises no file until {@link
   * #startingAs} or {@link #withFields} adds a rule.
   */
  public static FormatReader ofOptions(String label, String trainer, Reader reader) {
    return new FormatReader(
        new ModelFormat(label), trainer, reader, input -> false, Set.of(), Set.of());
  }

  /**
   * Creates a format whose models have one output. It recognises no file until {@link #startingAs}
   * or {@link #withFields} adds a rule.
   */
  public static FormatReader ofSingle(
      String label, String trainer, BiFunction<BoundedInput, EnsembleLimits, TreeEnsemble> reader) {
    return of(
        label,
        trainer,
        (input, limits, options) -> {
          new Outputs(options).choose(1, "", 0);
          return reader.apply(input, limits);
        });
  }

  /** Returns a copy that recognises files also by their first bytes. */
  public FormatReader startingAs(Predicate<BoundedInput> bytes) {
    return new FormatReader(format, trainer, reader, bytes, names, traits);
  }

  /** Returns a copy that recognises also JSON objects that have at least one of these fields. */
  public FormatReader withFields(String... fields) {
    return new FormatReader(format, trainer, reader, start, Set.of(fields), traits);
  }

  /** Returns a copy whose models have the given traits. */
  public FormatReader with(Trait first, Trait... others) {
    return new FormatReader(format, trainer, reader, start, names, EnumSet.of(first, others));
  }
}
