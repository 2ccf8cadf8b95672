// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.cli.input.Failure;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds, by their names, the files of expected scores that belong to a model's file.
 *
 * <p>A model's stems are its name without {@code .gz} and without one or more of its last parts:
 * {@code ranker.converted.json.gz} has {@code ranker.converted.json}, {@code ranker.converted} and
 * {@code ranker}. A file holds a model's expected scores if its name, again without {@code .gz}, is
 * a stem followed by words, parted by {@code . _ -}, one of which says what the scores are ({@link
 * #RAW}, {@link #TRANSFORMED}, {@link #EITHER}) and none that they are something else. Where files
 * of several folders fit, those count whose folders' names agree with the model's best.
 */
final class ModelFolder {
  private static final Set<String> RAW = Set.of("raw", "margin");
  private static final Set<String> TRANSFORMED = Set.of("transformed", "predict");
  private static final Set<String> EITHER =
      Set.of("expected", "predictions", "prediction", "pred", "scores");

  /** Words that say nothing; {@code on} says that the next is the rows' name. */
  private static final Set<String> OTHER =
      Set.of("true", "rand", "test", "out", "output", "txt", "tsv", "csv", "dat");

  /** The kind of a file's scores. */
  enum Kind {
    RAW,
    TRANSFORMED,
    EITHER
  }

  /**
   * A file of expected scores.
   *
   * @param rows the name of the rows; empty if the file's name says none
   */
  record Expected(Path file, Kind kind, String rows) {}

  /** Words of a file of rows. */
  private static final Set<String> ROWS =
      Set.of(
          "",
          "data",
          "input",
          "inputs",
          "rows",
          "features",
          "samples",
          "x",
          "test",
          "rand",
          "train",
          "valid",
          "letor",
          "svm",
          "libsvm",
          "txt",
          "tsv",
          "csv",
          "dat");

  /** In the name of scores, the name of their rows. */
  private static final Pattern ON = Pattern.compile("[._-]on[._-](.+?)(?:\\.[^.]*)?$");

  private final List<Path> files;

  /** All files below a folder, in the order of their names, and folders that can't be read. */
  ModelFolder(Path folder) throws Failure {
    try {
      files = files(folder);
    } catch (IOException e) {
      throw Failure.io(folder, e);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        Set.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (file.equals(folder)) {
              throw e;
            }
            // A link to a folder above leads to files that are seen anyway.
            if (!(e instanceof FileSystemLoopException)) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found.stream().sorted().toList();
  }

  List<Path> files() {
    return files;
  }

  /** The files with a model's expected scores, raw ones first. */
  List<Expected> expectedOf(Path model) {
    List<Expected> found = new ArrayList<>();
    for (String stem : stems(model)) {
      for (Path file : found.isEmpty() ? files : List.<Path>of()) {
        Kind kind = file.equals(model) ? null : kind(plainName(file), stem);
        if (kind != null) {
          String words = plainName(file).substring(stem.length());
          Matcher on = ON.matcher(words);
          found.add(new Expected(file, kind, on.find() ? on.group(1) : ""));
        }
      }
    }
    int best = found.stream().mapToInt(e -> kinship(e.file, model)).max().orElse(0);
    return found.stream()
        .filter(e -> kinship(e.file, model) == best)
        .sorted(Comparator.comparing(Expected::kind))
        .toList();
  }

  private static List<String> stems(Path model) {
    List<String> stems = new ArrayList<>();
    String rest = plainName(model);
    while (!rest.isEmpty()) {
      stems.add(rest);
      if (rest.endsWith("_model")) {
        stems.add(rest.substring(0, rest.length() - "_model".length()));
      }
      rest = rest.substring(0, Math.max(0, rest.lastIndexOf('.')));
    }
    return stems;
  }

  /**
   * The data files whose names say that they have the rows of scores: the name that the scores'
   * file gives, or else one of the model's stems, followed by words such as {@code data}. Of
   * several folders', those whose folders' names agree with the scores' best.
   */
  static List<Path> rowsOf(List<Path> data, Path model, Expected expected) {
    List<Path> own =
        nearest(data, model, expected).stream()
            .filter(file -> isRowsOf(plainName(file), model, expected))
            .toList();
    int best = own.stream().mapToInt(file -> kinship(file, expected.file)).max().orElse(0);
    return own.stream().filter(file -> kinship(file, expected.file) == best).toList();
  }

  private static boolean isRowsOf(String name, Path model, Expected expected) {
    for (String stem : expected.rows.isEmpty() ? stems(model) : List.of(expected.rows)) {
      if (name.startsWith(stem)
          && (name.length() == stem.length() || "._-".indexOf(name.charAt(stem.length())) >= 0)
          && ROWS.containsAll(words(name.substring(stem.length())))) {
        return true;
      }
    }
    return false;
  }

  private static List<String> words(String text) {
    return List.of(text.toLowerCase(Locale.ROOT).split("[._-]+"));
  }

  /**
   * Returns the kind of scores in a file of that name for a model of that stem; null if the name is
   * no such name.
   */
  private static @Nullable Kind kind(String name, String stem) {
    if (!name.startsWith(stem) || name.length() == stem.length()) {
      return null;
    }
    String words = name.substring(stem.length());
    if ("._-".indexOf(words.charAt(0)) < 0) {
      return null;
    }
    Kind kind = null;
    for (String word : words(words)) {
      if (word.equals("on")) {
        return kind;
      }
      if (RAW.contains(word)) {
        kind = Kind.RAW;
      } else if (TRANSFORMED.contains(word)) {
        kind = Kind.TRANSFORMED;
      } else if (EITHER.contains(word)) {
        kind = kind == null ? Kind.EITHER : kind;
      } else if (!word.isEmpty() && !OTHER.contains(word)) {
        return null;
      }
    }
    return kind;
  }

  /** How many names the folders above two files have in common. */
  private static int kinship(Path a, Path b) {
    Path folder = a.toAbsolutePath().getParent();
    Path other = b.toAbsolutePath().getParent();
    if (folder == null || other == null) {
      return 0;
    }
    Set<String> names = new HashSet<>();
    folder.forEach(part -> names.add(part.toString()));
    int common = 0;
    for (Path part : other) {
      common += names.contains(part.toString()) ? 1 : 0;
    }
    return common;
  }

  private static String plainName(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
  }

  /** Data files in the order in which they are to be tried for a model: the nearest first. */
  static List<Path> nearest(List<Path> data, Path model, Expected expected) {
    String name = plainName(model) + ' ' + plainName(expected.file);
    return data.stream()
        .filter(file -> !file.equals(model) && !file.equals(expected.file))
        .sorted(
            Comparator.comparingInt((Path file) -> -sharedWords(file, name))
                .thenComparingInt(file -> -kinship(file, expected.file))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  /** How much of a data file's name and folder a model's name repeats. */
  private static int sharedWords(Path file, String name) {
    Path folder = file.getParent();
    String own = (folder == null ? "" : folder.getFileName() + "_") + plainName(file);
    int shared = 0;
    for (String word : own.toLowerCase(Locale.ROOT).split("[^a-z0-9]+")) {
      shared += word.length() > 2 && name.toLowerCase(Locale.ROOT).contains(word) ? 1 : 0;
    }
    return shared;
  }
}
