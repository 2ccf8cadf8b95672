// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The measurement itself, on sizes the emulation can do: its figures mean nothing here. */
final class MeasureTest {
  @Test
  void comparesAndPrintsATable() throws Exception {
    Measure.Scope scope =
        new Measure.Scope(100, List.of(3, 70), List.of(32, 64), List.of(5, 40), 1 << 20, 10, 0.001);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    Measure measure = new Measure(new GpuDevice(Standin.driver(), 0), scope, out);
    measure.compare(scope.scores(), 1);
    measure.table(1);
    assertEquals(0, measure.different());
    String text = printed.toString(StandardCharsets.UTF_8);
    long rows = text.lines().filter(l -> l.matches(" *\\d+ +\\d+ +\\d+ \\|.*")).count();
    assertEquals(8, rows, text);
  }
}
