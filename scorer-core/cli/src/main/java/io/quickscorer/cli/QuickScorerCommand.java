// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.compile.JdkDefects;
import java.io.BufferedWriter;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/**
 * The program {@code quickscorer}.
 *
 * <p>Exit status: 0 on success, 1 if verify found a difference or migrate could not import
 * something, 2 for wrong usage or an unreadable file, 3 if the model was refused, 4 for bad data, 5
 * if the program itself failed, 141 if the program that reads its output has ended. For status 2 to
 * 4, one line on standard error gives the reason.
 */
@Command(
    name = "quickscorer",
    description = "Scores documents with tree ensembles, exactly as their trainers do.",
    mixinStandardHelpOptions = true,
    versionProvider = QuickScorerCommand.Version.class,
    subcommands = {
      ScoreCommand.class,
      ExplainCommand.class,
      InspectCommand.class,
      VerifyCommand.class,
      BenchCommand.class,
      CommandLine.HelpCommand.class
    },
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:success",
      "1:verify found a difference, or migrate could not import something",
      "2:wrong usage, or a file that cannot be read",
      "3:the model was refused",
      "4:bad data",
      "5:the program itself failed",
      "141:the program that read the output has ended"
    })
final class QuickScorerCommand {
  private static final int DEFECT = 5;

  /**
   * Provides the versions of the program and of the JVM, with JVM defects that can change scores.
   */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      List<String> defects = JdkDefects.ofThisJvm();
      return new String[] {
        "quickscorer "
            + Objects.requireNonNullElse(
                Version.class.getPackage().getImplementationVersion(), "(not packaged)"),
        "JVM "
            + Runtime.version()
            + (defects.isEmpty() ? "" : ", known defects: " + String.join(", ", defects))
      };
    }
  }

  /** With which the JVM replaces the bytes of an argument that the locale cannot represent. */
  private static final char UNREADABLE = '\uFFFD';

  private QuickScorerCommand() {}

  public static void main(String[] arguments) {
    StandardStreams.set();
    System.exit(run(arguments));
  }

  /** Runs the program with arguments, and returns its exit status. */
  static int run(String... arguments) {
    CommandLine program = new CommandLine(new QuickScorerCommand());
    // Commands of other modules are loaded only if needed, because loading their logging library
    // takes a fifth of the time of a short command.
    if (arguments.length == 0
        || arguments[0].equals("help")
        || !program.getSubcommands().containsKey(arguments[0])) {
      for (Subcommands more : ServiceLoader.load(Subcommands.class)) {
        more.commands().forEach(program::addSubcommand);
      }
    }
    for (String argument : arguments) {
      if (argument.indexOf(UNREADABLE) >= 0) {
        program
            .getErr()
            .println(
                "["
                    + argument
                    + "] contains a character that the locale does not have: set LC_ALL to a locale"
                    + " with UTF-8, such as C.UTF-8");
        return Failure.USAGE;
      }
    }
    program.setCaseInsensitiveEnumValuesAllowed(true);
    // Options with a value @FILE read the file themselves, so picocli must not read arguments from
    // it.
    program.setExpandAtFiles(false);
    // This writer is not flushed after each line, because the output may be millions of scores.
    program.setOut(
        new PrintWriter(
            new BufferedWriter(new OutputStreamWriter(System.out, System.out.charset()))));
    program.setExitCodeExceptionMapper(
        failure -> failure instanceof ParameterException ? Failure.USAGE : DEFECT);
    program.setExecutionExceptionHandler(
        (exception, command, result) -> {
          if (exception instanceof Failure failure) {
            // Messages quote data, whose control characters would change the terminal.
            String message = String.valueOf(failure.getMessage());
            command.getErr().println(message.replaceAll("[\\p{Cc}&&[^\n\t]]", "?"));
            return failure.status();
          }
          throw exception;
        });
    int status;
    try {
      status = program.execute(arguments);
    } catch (OutOfMemoryError e) {
      program
          .getErr()
          .println(
              "out of memory: give the JVM a larger heap, for example JAVA_TOOL_OPTIONS=-Xmx8g for"
                  + " 8 GB");
      return Failure.USAGE;
    } catch (Error e) {
      // Without this, the JVM would exit with 1, the status for scores that differ.
      e.printStackTrace(program.getErr());
      return DEFECT;
    }
    program.getOut().flush();
    if (System.out.checkError()) {
      program.getErr().println("standard output: cannot be written");
      return Failure.USAGE;
    }
    return status;
  }
}
