// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;

/** Changes standard output and standard error so that the program can be used in a pipe. */
final class StandardStreams {
  /** Exit status of a program that SIGPIPE has ended: 128 plus the number of the signal. */
  private static final int CLOSED_PIPE = 141;

  private StandardStreams() {}

  /**
   * Makes the program exit at once, without a message, if the program that reads its output (such
   * as {@code head}) has ended. Writes messages directly to standard error, not through the
   * launcher's filter.
   */
  static void set() {
    OutputStream out =
        new BufferedOutputStream(new PipeOutput(new FileOutputStream(FileDescriptor.out)));
    System.setOut(new PrintStream(out, true, System.out.charset()));
    String descriptor = System.getProperty("quickscorer.stderr");
    if (descriptor != null) {
      try {
        System.setErr(
            new PrintStream(
                new FileOutputStream(inherited(Integer.parseInt(descriptor))),
                true,
                System.err.charset()));
      } catch (ReflectiveOperationException | InaccessibleObjectException e) {
        // The internals of this JVM differ, so messages go through the launcher's filter.
        return;
      }
    }
  }

  /**
   * Returns a file descriptor that the process inherited from its parent. Opening {@code /dev/fd/3}
   * instead would write from the start of the file, over the output of other programs.
   */
  private static FileDescriptor inherited(int number) throws ReflectiveOperationException {
    FileDescriptor descriptor = new FileDescriptor();
    Field field = FileDescriptor.class.getDeclaredField("fd");
    field.setAccessible(true);
    field.setInt(descriptor, number);
    return descriptor;
  }

  private static final class PipeOutput extends FilterOutputStream {
    PipeOutput(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      try {
        out.write(bytes, from, count);
      } catch (IOException e) {
        if (String.valueOf(e.getMessage()).contains("Broken pipe")) {
          System.exit(CLOSED_PIPE);
        }
        throw e;
      }
    }
  }
}
