// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import java.io.IOException;
import java.util.List;
import org.opensearch.test.OpenSearchTestCase;

public class LogFormatTests extends OpenSearchTestCase {
  private static final LogFormat.Row ROW =
      new LogFormat.Row(7, "a,\"b", 2, new float[] {0.1f, Float.NaN, -0f, 1e-45f});

  public void testEachFormatKeepsEveryBit() throws IOException {
    List<String> names = List.of("x", "y,z");
    assertEquals("", LogFormat.LIBSVM.header(names));
    assertEquals("2 qid:7 1:0.1 2:nan 3:-0.0 4:1.4E-45 # a,\"b\n", LogFormat.LIBSVM.row(ROW, 1));
    assertTrue(LogFormat.LIBSVM.row(ROW, 0).startsWith("2 qid:7 0:0.1"));
    assertEquals("label,qid,_id,x,\"y,z\"\n", LogFormat.CSV.header(names));
    assertEquals("2,7,\"a,\"\"b\",0.1,,-0.0,1.4E-45\n", LogFormat.CSV.row(ROW, 1));
    assertEquals("{\"feature_names\":[\"x\",\"y,z\"]}\n", LogFormat.NDJSON.header(names));
    assertEquals(
        "{\"qid\":7,\"_id\":\"a,\\\"b\",\"label\":2,\"features\":[0.1,null,-0.0,1.4E-45]}\n",
        LogFormat.NDJSON.row(ROW, 1));
  }

  public void testLabelsAreWholeWhereTheyCanBe() throws IOException {
    LogFormat.Row row = new LogFormat.Row(1, "a", 0.25, new float[] {1});
    assertTrue(LogFormat.CSV.row(row, 1).startsWith("0.25,"));
    row = new LogFormat.Row(1, "a", 3.0, new float[] {1});
    assertTrue(LogFormat.CSV.row(row, 1).startsWith("3,"));
  }

  public void testIdsEndNoLine() throws IOException {
    LogFormat.Row row = new LogFormat.Row(1, "a\nb", 0, new float[] {1});
    assertEquals(1, LogFormat.LIBSVM.row(row, 1).lines().count());
  }
}
