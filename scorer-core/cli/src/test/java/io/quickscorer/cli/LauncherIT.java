// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which JDK {@code bin/quickscorer} takes. */
final class LauncherIT {
  @TempDir private Path folder;

  /** A JDK that is too old is passed over, if there is another one or not. */
  @ParameterizedTest
  @CsvSource({
    "25, true",
    "25.0.3, true",
    "26+5, true",
    "27.0.1.0.3, true",
    "31, true",
    "100, true",
    "24.0.2, false",
    "17.0.15, false",
    "1.8.0_432, false",
    "9, false",
    "2, false"
  })
  void versions(String version, boolean taken) throws Exception {
    Path jdk = folder.resolve("jdk");
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    Path java = Files.writeString(jdk.resolve("bin/java"), "#!/bin/sh\necho it\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    String command = "JAVA_HOME=" + jdk + " " + System.getProperty("command") + " --version";
    Run run = Run.piped(folder, "/bin/sh", "", "-c", command);
    assertEquals(taken, run.out().equals("it\n"), run::toString);
  }

  @Test
  void aClosedInputHasNoDocuments() throws Exception {
    Path model = folder.resolve("model.txt");
    Files.write(model, ScoreCommandTest.fixture("lightgbm-4.3.0", "binary_rf").model("txt"));
    String command = System.getProperty("command") + " score " + model + " <&-";
    assertEquals(new Run(0, "", ""), Run.piped(folder, "/bin/sh", "", "-c", command));
  }

  @Test
  void anEmptyEnvironmentIsNoError() throws Exception {
    String command = "env -i PATH=/usr/bin:/bin " + System.getProperty("command") + " --version";
    Run run = Run.piped(folder, "/bin/sh", "", "-c", command);
    if (run.status() != 0) {
      assertEquals(
          "quickscorer: no JDK 25 or newer found; set JAVA_HOME to one\n",
          run.err(),
          run::toString);
    }
  }
}
