// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Faults that are planted in the code of a module, each with a test of the default build that must
 * find it. Code of a test is planted in too, as a measurement may deceive. They are listed in
 * {@code src/test/planted-faults.txt}, one after an empty line:
 *
 * <pre>
 * name of the fault
 * SourceFile.java NameOfTheTest
 * - the code, once in the file; the white space does not matter
 * + what replaces it
 * </pre>
 *
 * <p>Each fault is compiled beside a copy of the module's classes, and the test runs on these in a
 * JVM of its own, with the options and system properties of this one. Not thread-safe.
 */
public final class PlantedFaults {
  private static final int MINUTES = 10;

  private final Path module;
  private final String runner;
  private final List<Fault> faults = new ArrayList<>();

  /** A fault: the code in a source file, what replaces it, and the simple name of the test. */
  private record Fault(String name, String file, String test, String code, String planted) {
    Matcher matcher(String source) {
      return Pattern.compile(
              Arrays.stream(code.strip().split("\\s+"))
                  .map(Pattern::quote)
                  .collect(Collectors.joining("\\s+")))
          .matcher(source);
    }

    String plantIn(String source) {
      return matcher(source).replaceFirst(Matcher.quoteReplacement(planted));
    }
  }

  /**
   * Reads the list.
   *
   * @param module the folder of the module
   * @param runner a class whose {@code main} runs the tests that it is given by name, and exits
   *     with 0 if all of them pass
   */
  public PlantedFaults(Path module, Class<?> runner) throws IOException {
    this.module = module;
    this.runner = runner.getName();
    String list = Files.readString(module.resolve("src/test/planted-faults.txt"));
    for (String entry : list.strip().split("\n\n+")) {
      List<String> lines = entry.lines().toList();
      String[] places = lines.get(1).split(" ");
      faults.add(
          new Fault(lines.get(0), places[0], places[1], part(lines, "- "), part(lines, "+ ")));
    }
  }

  private static String part(List<String> lines, String sign) {
    return lines.stream()
        .filter(line -> line.startsWith(sign))
        .map(line -> line.substring(2))
        .collect(Collectors.joining("\n"));
  }

  /** Faults whose code is not exactly once in its file, and tests that do not exist. */
  public List<String> outdated() throws IOException {
    List<String> outdated = new ArrayList<>();
    for (Fault fault : faults) {
      String source = Files.readString(original(fault));
      if (fault.matcher(source).results().count() != 1) {
        outdated.add(fault.name() + ": the code is not once in " + fault.file());
      }
      source("test", fault.test() + ".java");
    }
    return outdated;
  }

  private Path original(Fault fault) throws IOException {
    return source("*", fault.file());
  }

  /** The classes of the half of the module in which a fault is planted. */
  private Path classes(Fault fault) throws IOException {
    boolean main = original(fault).startsWith(module.resolve("src/main"));
    return module.resolve(main ? "target/classes" : "target/test-classes").toRealPath();
  }

  /** Returns the source file with a name, in the half {@code main} or {@code test}, or in any. */
  private Path source(String half, String file) throws IOException {
    Path start = module.resolve(half.equals("*") ? "src" : "src/" + half + "/java");
    try (Stream<Path> files = Files.walk(start)) {
      return files
          .filter(path -> path.getFileName().toString().equals(file))
          .findFirst()
          .orElseThrow(() -> new IOException("no file " + file + " in " + module));
    }
  }

  /**
   * Faults that their tests do not find. Prints a line for each fault.
   *
   * @param folder an empty folder for classes
   * @throws IllegalStateException if a test fails without a fault, or a fault does not compile
   */
  public List<String> unfound(Path folder) throws IOException, InterruptedException {
    Map<String, Boolean> sound = new LinkedHashMap<>();
    List<String> unfound = new ArrayList<>();
    for (Fault fault : faults) {
      Path classes = classes(fault);
      Path source = source("test", fault.test() + ".java");
      String test =
          module
              .resolve("src/test/java")
              .relativize(source)
              .toString()
              .replace(".java", "")
              .replace(File.separatorChar, '.');
      if (!sound.computeIfAbsent(test, name -> passes(name, classes, classes, folder))) {
        throw new IllegalStateException(test + " fails without a fault: " + folder);
      }
      Path planted = folder.resolve(classes.getFileName());
      copy(classes, planted);
      compile(fault, planted, folder);
      boolean found = !passes(test, classes, planted, folder);
      System.out.printf("%s: %s: %s%n", found ? "found" : "NOT FOUND", fault.test(), fault.name());
      if (!found) {
        unfound.add(fault.name());
      }
    }
    return unfound;
  }

  private void compile(Fault fault, Path classes, Path folder) throws IOException {
    Path changed = folder.resolve(fault.file());
    Files.writeString(changed, fault.plantIn(Files.readString(original(fault))));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-nowarn",
                "-proc:none",
                "-parameters",
                "-g",
                "--add-modules",
                "jdk.incubator.vector",
                "-cp",
                classPath(classes(fault), classes),
                "-d",
                classes.toString(),
                changed.toString());
    if (status != 0) {
      throw new IllegalStateException("does not compile: " + fault.name());
    }
  }

  private boolean passes(String test, Path classes, Path planted, Path folder) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-ea");
    System.getProperties()
        .forEach(
            (name, value) -> {
              if (isOfTests(name.toString())) {
                command.add("-D" + name + "=" + value);
              }
            });
    command.addAll(List.of("-cp", classPath(classes, planted), runner, test));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("output.txt").toFile())
              .start();
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static boolean isOfTests(String property) {
    return property.startsWith("tests.")
        || property.startsWith("opensearch.")
        || property.startsWith("jna.")
        || property.startsWith("gpu.")
        || property.equals("trainers");
  }

  private static String classPath(Path classes, Path planted) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> isSame(entry, classes) ? planted.toString() : entry)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isSame(String entry, Path classes) {
    try {
      return Files.exists(Path.of(entry)) && Path.of(entry).toRealPath().equals(classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(folder).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(
                file,
                to.resolve(from.relativize(file).toString()),
                StandardCopyOption.REPLACE_EXISTING);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
