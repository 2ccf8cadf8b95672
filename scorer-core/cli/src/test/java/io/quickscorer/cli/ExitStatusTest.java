// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

/** The exit status of a defect, which no argument of a user brings about. */
final class ExitStatusTest {
  /** Adds commands that fail as no command should. */
  public static final class Defects implements Subcommands {
    @Override
    public List<Object> commands() {
      return List.of(new Unforeseen(), new Incomplete());
    }
  }

  @Command(name = "unforeseen")
  static final class Unforeseen implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new IllegalStateException("a test's defect");
    }
  }

  @Command(name = "incomplete")
  static final class Incomplete implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new NoClassDefFoundError("a test's class");
    }
  }

  @Test
  void argumentsThatTheLocaleChanged() {
    Run run = Run.here("unforeseen", "caf\uFFFD");
    assertEquals(2, run.status());
    assertEquals(
        "[caf\uFFFD] contains a character that the locale does not have: set LC_ALL to a locale"
            + " with UTF-8, such as C.UTF-8",
        run.err().strip());
  }

  @Test
  void defects() {
    assertEquals(5, QuickScorerCommand.run("unforeseen"));
    assertEquals(5, QuickScorerCommand.run("incomplete"));
  }
}
