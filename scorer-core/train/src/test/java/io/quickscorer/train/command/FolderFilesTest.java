// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderFilesTest {
  @TempDir private Path temp;

  @Test
  void damagedFilesAreNamed() throws Exception {
    FolderFiles files = new FolderFiles(temp);
    for (String damaged : List.of("", "{}", "[]", "{\"model\": \"m\"}", "{\n\"model\"")) {
      Files.writeString(files.training(), damaged);
      Failure failure = assertThrows(Failure.class, files::made);
      assertEquals(Failure.DATA, failure.status());
      String expected = damaged.contains("\n") ? "line 2: not JSON: " : "line 1: expected {";
      assertTrue(failure.getMessage().startsWith(files.training() + ": " + expected), damaged);
    }
  }

  @Test
  void aDamagedModelIsNamed() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    Files.writeString(folder.files().training(), "{\"model\": \"model.txt\", \"held_out\": []}");
    Path model = Files.writeString(temp.resolve("model.txt"), "tree\nversion=v4\n");
    Failure failure = assertThrows(Failure.class, () -> folder.ensemble(List.of()));
    assertEquals(Failure.MODEL, failure.status());
    assertTrue(failure.getMessage().startsWith(model + ": "), failure.getMessage());
  }
}
