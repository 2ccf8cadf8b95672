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
 * A row of the table of model file formats: how to recognise a file of the format, the code that
 * reads it, and the traits of its models. Each reader defines its own row. Immutable.
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
   * Returns the row of a format whose only read option is the number of the output. The row does
   * not recognise files; add rules with {@link #startingAs} or {@link #withFields}.
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
   * Returns the row of a format whose reader checks all read options. The row does not recognise
   * files; add rules with {@link #startingAs} or {@link #withFields}.
   */
  public static FormatReader ofOptions(String label, String trainer, Reader reader) {
    return new FormatReader(
        new ModelFormat(label), trainer, reader, input -> false, Set.of(), Set.of());
  }

  /**
   * Returns the row of a format whose models have one output. The row does not recognise files; add
   * rules with {@link #startingAs} or {@link #withFields}.
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

  /** Returns a copy of this row that recognises files by their first bytes, in addition. */
  public FormatReader startingAs(Predicate<BoundedInput> bytes) {
    return new FormatReader(format, trainer, reader, bytes, names, traits);
  }

  /**
   * Returns a copy of this row that recognises JSON objects with any of these fields, in addition.
   */
  public FormatReader withFields(String... fields) {
    return new FormatReader(format, trainer, reader, start, Set.of(fields), traits);
  }

  /** Returns a copy of this row with the given traits. */
  public FormatReader with(Trait first, Trait... others) {
    return new FormatReader(format, trainer, reader, start, names, EnumSet.of(first, others));
  }
}
