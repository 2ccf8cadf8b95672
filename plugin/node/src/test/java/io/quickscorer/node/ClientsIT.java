// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Clients generated from the OpenAPI description make the tutorial's requests to a real node. */
final class ClientsIT {
  private static final Path SOURCES = Path.of("src/it/clients").toAbsolutePath();

  private static Path folder() {
    String folder = System.getProperty("clients");
    Assumptions.assumeTrue(folder != null, "needs -Pclients");
    return Path.of(folder);
  }

  private static String node() throws IOException, InterruptedException {
    return SharedNode.get().address().toString();
  }

  @Test
  void javaClient() throws Exception {
    Path folder = folder();
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d"));
    arguments.add(classes.toString());
    arguments.add(SOURCES.resolve("Tutorial.java").toString());
    try (Stream<Path> generated = Files.walk(folder.resolve("java/src/main/java"))) {
      generated.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
    }
    Path file = Files.write(folder.resolve("javac.txt"), arguments);
    String java = System.getProperty("java.home") + "/bin/java";
    Program.run(folder, "", java + "c", "-cp", folder.resolve("lib") + "/*", "@" + file);
    String path = classes + ":" + folder.resolve("lib") + "/*";
    assertEquals("done\n", Program.run(folder, "", java, "-cp", path, "Tutorial", node()));
  }

  @Test
  void typescriptClient() throws Exception {
    Path folder = Files.createDirectories(folder().resolve("typescript"));
    copy(folder);
    Program.run(folder, "", "npm", "ci", "--no-audit", "--no-fund", "--cache", folder + "/cache");
    Path description = Path.of("../docs/openapi.yaml").toAbsolutePath().normalize();
    Program.run(
        folder,
        "",
        "npx",
        "openapi-typescript",
        description.toString(),
        "--default-non-nullable",
        "false",
        "-o",
        "quickscorer.d.ts");
    Program.run(folder, "", "npx", "tsc");
    assertEquals("done\n", Program.run(folder, "", "node", "compiled/tutorial.js", node()));
  }

  private static void copy(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
