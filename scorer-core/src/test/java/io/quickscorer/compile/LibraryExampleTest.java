// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.fixtures.Fixture;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page's example of the library compiles as it stands there, and scores. */
final class LibraryExampleTest {
  private static final String BEGIN = "```java";
  private static final String END = "```";

  @TempDir private Path folder;

  /** The block of Java. */
  private static String example() throws Exception {
    return Files.readAllLines(Path.of("docs/library.md")).stream()
        .dropWhile(line -> !line.equals(BEGIN))
        .skip(1)
        .takeWhile(line -> !line.equals(END))
        .reduce("", (text, line) -> text + line + "\n");
  }

  @Test
  void compilesAndScores() throws Exception {
    // The example's class is package-private, and this test loads it by another loader.
    String text =
        example()
            .replace("class Scores", "public class Scores")
            .replace("static double[] of", "public static double[] of");
    Path source = Files.writeString(folder.resolve("Scores.java"), text);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                List.of("-proc:none", "-classpath", System.getProperty("java.class.path")),
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
            .call();
    assertEquals("", said.toString());
    assertEquals(true, compiled);
    Fixture fixture =
        Fixture.all().stream()
            .filter(f -> f.name().equals("lambdarank_categorical"))
            .findFirst()
            .orElseThrow();
    Path model = Files.write(folder.resolve("model.txt"), fixture.model("txt"));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      Object scores =
          loader
              .loadClass("Scores")
              .getMethod("of", Path.class, float[].class)
              .invoke(null, model, fixture.cases().values());
      assertArrayEquals(fixture.cases().raw(), (double[]) scores, 0);
    }
  }
}
