// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.reader.Traps.Trap;
import io.quickscorer.reader.input.BoundedInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every file of {@link Traps} is refused, with the place and the reason, at a cost that its length
 * bounds.
 */
final class TrapsTest {
  static List<Trap> traps() {
    return Traps.all();
  }

  @ParameterizedTest
  @MethodSource("traps")
  void refusedAtBoundedCost(Trap trap) {
    assertFalse(ReaderOracle.offer(trap.file(), trap.format()));
    InvalidModelException e =
        assertThrows(
            InvalidModelException.class,
            () -> ModelReader.read(trap.file(), trap.format(), ReaderOracle.LIMITS));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(trap.said()), message + " should say " + trap.said());
    assertTrue(message.length() < 300, "a message is a line, and no copy of the file");
  }

  @Test
  void namesAreUnique() {
    List<String> names = Traps.all().stream().map(Trap::name).toList();
    assertEquals(names.size(), names.stream().distinct().count());
  }

  @Test
  void gzipBomb() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 200; i++) {
        gzip.write(zeros);
      }
    }
    byte[] bomb = out.toByteArray();
    assertFalse(ReaderOracle.offer(bomb, ModelFormat.AUTO));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = threads.getCurrentThreadAllocatedBytes();
    assertThrows(InvalidModelException.class, () -> BoundedInput.of(bomb));
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
    assertTrue(
        allocated < 4L * (BoundedInput.FREE_BYTES + 100L * bomb.length), allocated + " bytes");
    assertTrue(allocated < 200L << 20, "less than it unpacks to");
  }

  /** Whatever a document refers to, nobody is asked for it. */
  @Test
  void nothingIsFetched() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "http://localhost:" + server.getLocalPort() + "/model.dtd";
      for (String reference :
          List.of(
              "<!DOCTYPE ensemble SYSTEM \"" + address + "\">",
              "<!DOCTYPE ensemble PUBLIC \"-//X//Y\" \"" + address + "\">",
              "<!DOCTYPE ensemble [<!ENTITY % x SYSTEM \"" + address + "\"> %x;]>",
              "<?xml-stylesheet href=\"" + address + "\"?>")) {
        String model = SmallModels.RANKLIB.replace("<ensemble>", reference + "<ensemble>");
        assertFalse(ReaderOracle.offer(SmallModels.bytes(model), ModelFormats.of("ranklib")));
        assertFalse(ReaderOracle.offer(SmallModels.bytes(model), ModelFormat.AUTO));
      }
      // A connection would be waiting already, for readers have no threads.
      server.setSoTimeout(1);
      assertThrows(SocketTimeoutException.class, server::accept);
    }
  }
}
