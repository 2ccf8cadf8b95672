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
 * <p>A model's stems are its name without {@code .gz}, and shorter forms without one or more of its
 * last parts: {@code ranker.converted.json.gz} has {@code ranker.converted.json}, {@code
 * ranker.converted} and {@code ranker}. A file contains a model's expected scores if its name,
 * without {@code .gz}, is a stem followed by words that are separated by {@code . _ -}. One of the
 * words must state the kind of scores ({@link #RAW}, {@link #TRANSFORMED}, {@link #EITHER}); the
 * others must be in {@link #OTHER}. If files in several folders match, only those in the folder
 * that has the most parent folders in common with the model are used.
 */
final class ModelFolder {
  private static final Set<String> RAW = Set.of("raw", "margin");
  private static final Set<String> TRANSFORMED = Set.of("transformed", "predict");
  private static final Set<String> EITHER =
      Set.of("expected", "predictions", "prediction", "pred", "scores");

  /**
   * The ignored words in the name of a file of expected scores. The text after {@code on} is not
   * ignored: it is the name of the data file.
   */
  private static final Set<String> OTHER =
      Set.of("true", "rand", "test", "out", "output", "txt", "tsv", "csv", "dat");

  /** The kind of the scores in a file: sums over trees, the trainer's predictions, or unknown. */
  enum Kind {
    RAW,
    TRANSFORMED,
    EITHER
  }

  /**
   * A file of expected scores.
   *
   * @param file the path of the file
   * @param kind the kind of the scores
   * @param rows the name of the data file, if it is part of the file's name; otherwise empty
   */
  record Expected(Path file, Kind kind, String rows) {}

  /** The words that may follow the model's name in the name of its data file. */
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

  /** Matches the data file's name within a name such as {@code ranker.raw.on.test.tsv}. */
  private static final Pattern ON = Pattern.compile("[._-]on[._-](.+?)(?:\\.[^.]*)?$");

  private final List<Path> files;

  /** Lists all files in a folder and its subfolders by path, including unreadable ones. */
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
            // A link to a parent folder leads only to files that are visited anyway.
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

  /** Returns the files with expected scores of a model. Files with raw scores come first. */
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
    int best = found.stream().mapToInt(e -> commonFolders(e.file, model)).max().orElse(0);
    return found.stream()
        .filter(e -> commonFolders(e.file, model) == best)
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
   * Returns the data files that contain the rows of the expected scores, according to their names.
   * If the scores' file has a name such as {@code ranker.raw.on.test.tsv}, the data file's name
   * begins with {@code test}; otherwise, it begins with the model's name. Words such as {@code
   * data} may follow. If several folders contain such files, only the nearest folder is used.
   */
  static List<Path> rowsOf(List<Path> data, Path model, Expected expected) {
    List<Path> own =
        nearest(data, model, expected).stream()
            .filter(file -> isRowsOf(plainName(file), model, expected))
            .toList();
    int best = own.stream().mapToInt(file -> commonFolders(file, expected.file)).max().orElse(0);
    return own.stream().filter(file -> commonFolders(file, expected.file) == best).toList();
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
   * Returns the kind of scores that a file's name states; null if the file does not belong to the
   * model.
   *
   * @param stem the model's name, or a part of it
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

  /** Returns the number of parent folder names that the paths of two files have in common. */
  private static int commonFolders(Path a, Path b) {
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

  /** Returns the data files, sorted by the similarity of their names to the model's, best first. */
  static List<Path> nearest(List<Path> data, Path model, Expected expected) {
    String name = plainName(model) + ' ' + plainName(expected.file);
    return data.stream()
        .filter(file -> !file.equals(model) && !file.equals(expected.file))
        .sorted(
            Comparator.comparingInt((Path file) -> -sharedWords(file, name))
                .thenComparingInt(file -> -commonFolders(file, expected.file))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  /** Returns how many words of the names of {@code file} and its folder occur in {@code name}. */
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
