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
import java.util.function.Predicate;

/**
 * A row of the table of formats: how to recognise a file, how to read it, and the traits of its
 * models. Each reader has its own; immutable.
 *
 * @param format its name
 * @param trainer name of the trainer that writes such files; empty if there may be several
 * @param reader reads a file
 * @param start whether a file's first bytes are those of this format, and of no other
 * @param names names of fields that only this format's JSON documents have
 * @param traits properties of its models
 */
public record FormatReader(
    ModelFormat format,
    String trainer,
    OptionsReader reader,
    Predicate<BoundedInput> start,
    Set<String> names,
    Set<Trait> traits) {

  /** Reads a file. */
  public interface Reader {
    /**
     * @param choice the output to score
     * @throws InvalidModelException if the bytes are not a valid model within the limits
     */
    TreeEnsemble read(BoundedInput input, EnsembleLimits limits, OutputChoice choice);
  }

  /** Reads a file of a format that uses more options than the output. */
  public interface OptionsReader {
    /**
     * @throws InvalidModelException if the bytes are not a valid model within the limits, or the
     *     options do not fit it
     */
    TreeEnsemble read(BoundedInput input, EnsembleLimits limits, ReadOptions options);
  }

  /** Reads a file of a format whose models have one output, or do not say that they have more. */
  public interface SingleReader {
    /**
     * @throws InvalidModelException if the bytes are not a valid model within the limits
     */
    TreeEnsemble read(BoundedInput input, EnsembleLimits limits);
  }

  public FormatReader {
    names = Set.copyOf(names);
    traits = Set.copyOf(traits);
  }

  /**
   * Creates a format whose models may have several outputs; it is not recognised from content yet.
   */
  public static FormatReader of(String label, String trainer, Reader reader) {
    return ofOptions(
        label,
        trainer,
        (input, limits, options) -> {
          options.noCategories();
          options.noModel();
          return reader.read(input, limits, new OutputChoice(options.output()));
        });
  }

  /** Returns a format that uses more of the options; it is not recognised from content yet. */
  public static FormatReader ofOptions(String label, String trainer, OptionsReader reader) {
    return new FormatReader(
        new ModelFormat(label), trainer, reader, input -> false, Set.of(), Set.of());
  }

  /** Returns a format whose models have one output; it is not recognised from content yet. */
  public static FormatReader ofSingle(String label, String trainer, SingleReader reader) {
    return of(
        label,
        trainer,
        (input, limits, choice) -> {
          choice.onlyOne();
          return reader.read(input, limits);
        });
  }

  /**
   * Reads a file of this format.
   *
   * @throws InvalidModelException as {@link OptionsReader#read} does
   */
  public TreeEnsemble read(BoundedInput input, EnsembleLimits limits, ReadOptions options) {
    return reader.read(input, limits, options);
  }

  /** Returns this format recognised by a file's first bytes. */
  public FormatReader startingAs(Predicate<BoundedInput> bytes) {
    return new FormatReader(format, trainer, reader, bytes, names, traits);
  }

  /** Returns this format recognised by any of these fields of a JSON object. */
  public FormatReader withFields(String... fields) {
    return new FormatReader(format, trainer, reader, start, Set.of(fields), traits);
  }

  /** Returns this format with these traits. */
  public FormatReader with(Trait first, Trait... others) {
    return new FormatReader(format, trainer, reader, start, names, EnumSet.of(first, others));
  }
}
