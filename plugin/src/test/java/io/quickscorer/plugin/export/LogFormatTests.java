// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.opensearch.test.OpenSearchTestCase;

public class LogFormatTests extends OpenSearchTestCase {
  private static final LogFormat.Row ROW =
      new LogFormat.Row(7, "a,\"b", 2, new float[] {0.1f, Float.NaN, -0f, 1e-45f});

  public void testEachFormatKeepsEveryBit() throws IOException {
    List<String> names = List.of("x", "y,z");
    assertEquals("", LogFormat.XGBOOST.header(names));
    assertEquals(
        "2 qid:7 0:0.10000000149011612 2:-0.0 3:1.401298464324817E-45\n",
        LogFormat.XGBOOST.row(ROW));
    assertEquals("# 1\tx\n# 2\ty,z\n", LogFormat.RANKLIB.header(names));
    assertEquals(
        "2 qid:7 1:0.10000000149011612 2:0 3:-0.0 4:1.401298464324817E-45 # a,\"b\n",
        LogFormat.RANKLIB.row(ROW));
    assertEquals("label,qid,x\n", LogFormat.LIGHTGBM.header(List.of("x")));
    assertEquals(
        "2,7,0.10000000149011612,nan,-0.0,1.401298464324817E-45\n", LogFormat.LIGHTGBM.row(ROW));
    assertEquals("", LogFormat.CATBOOST.header(names));
    assertEquals(
        "2\t7\t\"a,\"\"b\"\t0.10000000149011612\t\t-0.0\t1.401298464324817E-45\n",
        LogFormat.CATBOOST.row(ROW));
    for (String taken : List.of("label", "qid", "_id")) {
      Exception e = expectThrows(IllegalArgumentException.class, () -> LogFormat.CSV.check(taken));
      assertTrue(e.getMessage(), e.getMessage().startsWith("feature [" + taken + "]: format"));
    }
    assertEquals("label,qid,_id,x,\"y,z\"\n", LogFormat.CSV.header(names));
    assertEquals(
        "2,7,\"a,\"\"b\",0.10000000149011612,,-0.0,1.401298464324817E-45\n",
        LogFormat.CSV.row(ROW));
    assertEquals("{\"feature_names\":[\"x\",\"y,z\"]}\n", LogFormat.NDJSON.header(names));
    assertEquals(
        "{\"qid\":7,\"_id\":\"a,\\\"b\",\"label\":2,\"features\":[0.10000000149011612,null,-0.0,1.401298464324817E-45]}\n",
        LogFormat.NDJSON.row(ROW));
  }

  public void testLabelsAreWholeWhereTheyCanBe() throws IOException {
    LogFormat.Row row = new LogFormat.Row(1, "a", 0.25, new float[] {1});
    assertTrue(LogFormat.CSV.row(row).startsWith("0.25,"));
    row = new LogFormat.Row(1, "a", 3.0, new float[] {1});
    assertTrue(LogFormat.CSV.row(row).startsWith("3,"));
  }

  public void testIdsEndNoLine() throws IOException {
    LogFormat.Row row = new LogFormat.Row(1, "a\nb", 0, new float[] {1});
    assertEquals(1, LogFormat.RANKLIB.row(row).lines().count());
  }

  public void testColumnsAreTold() {
    List<String> names = List.of("x", "y z");
    Set<String> categorical = Set.of("y z");
    assertEquals("0\tx\tq\n1\ty z\tc\n", LogFormat.XGBOOST.columns(names, categorical));
    assertEquals(
        "0\tLabel\n1\tGroupId\n2\tSampleId\n3\tNum\tx\n4\tCateg\ty z\n",
        LogFormat.CATBOOST.columns(names, categorical));
    assertFalse(LogFormat.LIGHTGBM.columns(names, Set.of()).contains("categorical"));
    assertTrue(
        LogFormat.LIGHTGBM
            .columns(List.of("a", "b", "c"), Set.of("c", "a"))
            .endsWith("\ncategorical_feature=name:a,c\n"));
    for (LogFormat format : List.of(LogFormat.LIGHTGBM, LogFormat.XGBOOST)) {
      IllegalArgumentException e =
          expectThrows(IllegalArgumentException.class, () -> format.check("y z"));
      assertTrue(e.getMessage(), e.getMessage().startsWith("feature [y z]: "));
      format.check("x_1-é.b");
    }
    for (LogFormat format : List.of(LogFormat.CSV, LogFormat.NDJSON)) {
      expectThrows(IllegalArgumentException.class, () -> format.columns(names, Set.of()));
      format.check("y z");
    }
  }

  /**
   * CatBoost's rules for a pool: as many tab-separated columns in each row as the description goes
   * to, each number once and of a known kind, and values that are numbers or empty. It reads them
   * itself in {@link TrainersReadExportsTests}, where its library is.
   */
  public void testCatBoostsRows() throws IOException {
    List<String> names = List.of("x", "y", "z", "w");
    String[] columns = LogFormat.CATBOOST.columns(names, Set.of()).split("\n");
    String[] cells = LogFormat.CATBOOST.row(ROW).strip().split("\t", -1);
    assertEquals(columns.length, cells.length);
    for (int c = 0; c < columns.length; c++) {
      String[] column = columns[c].split("\t");
      assertEquals(c, Integer.parseInt(column[0]));
      assertTrue(columns[c], List.of("Label", "GroupId", "SampleId", "Num").contains(column[1]));
      if (column[1].equals("Num")) {
        assertEquals(names.get(c - 3), column[2]);
        float value = cells[c].isEmpty() ? Float.NaN : Float.parseFloat(cells[c]);
        assertEquals(ROW.values()[c - 3], value, 0);
      }
    }
  }
}
