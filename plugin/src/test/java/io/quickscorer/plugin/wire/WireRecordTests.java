// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.test.OpenSearchTestCase;

/** Records as streams of their components. */
public class WireRecordTests extends OpenSearchTestCase {
  private enum Side {
    LEFT,
    RIGHT {
      @Override
      public String toString() {
        return "has a body";
      }
    }
  }

  /** Of another library: a record that is no {@link WireRecord} itself. */
  private record Plain(String text) {}

  private record Inner(@Nullable Long number, double[] unread, Side side) {}

  private record All(
      boolean flag,
      int whole,
      long large,
      float single,
      double precise,
      String text,
      @Nullable String absent,
      @Nullable Integer given,
      Side side,
      List<Plain> plain,
      List<@Nullable String> holes,
      Map<Side, List<Long>> map,
      Map<String, Object> any,
      @Nullable Plain none)
      implements WireRecord {}

  private record Counted<K>(Map<K, Long> counts, K most) {}

  private record Generic(Counted<Side> sides, Counted<String> texts) implements WireRecord {}

  private record Unwritable(Inner inner) implements WireRecord {}

  private static All sample() {
    return new All(
        randomBoolean(),
        randomFrom(0, -1, Integer.MIN_VALUE, randomInt()),
        randomFrom(Long.MIN_VALUE, Long.MAX_VALUE, randomLong()),
        randomFloat(),
        randomFrom(Double.NaN, -0.0, randomDouble()),
        randomRealisticUnicodeOfLength(10),
        null,
        randomInt(),
        randomFrom(Side.values()),
        List.of(new Plain("a"), new Plain(randomAlphaOfLength(3))),
        Arrays.asList("x", null),
        Map.of(Side.LEFT, List.of(1L, -1L), Side.RIGHT, List.of()),
        Map.of("list", List.of(1, "b"), "map", Map.of("c", 0.5)),
        null);
  }

  private static StreamInput written(WireRecord record) throws IOException {
    BytesStreamOutput out = new BytesStreamOutput();
    record.writeTo(out);
    return out.bytes().streamInput();
  }

  public void testAllComponentsComeBack() throws IOException {
    All all = sample();
    StreamInput in = written(all);
    assertEquals(all, WireRecord.read(in, All.class));
    assertEquals(-1, in.read());
  }

  public void testTypeVariablesStandForWhatTheComponentSays() throws IOException {
    Map<String, Long> texts = new LinkedHashMap<>();
    for (String text : List.of("z", "b", "y", "a")) {
      texts.put(text, randomLong());
    }
    Generic generic =
        new Generic(new Counted<>(Map.of(Side.LEFT, 3L), Side.LEFT), new Counted<>(texts, "most"));
    Generic read = WireRecord.read(written(generic), Generic.class);
    assertEquals(generic, read);
    assertEquals(
        "in their order", List.copyOf(texts.keySet()), List.copyOf(read.texts().counts().keySet()));
  }

  public void testWhatIsNoneOfAnEnumIsRefused() throws IOException {
    record Named(String side) implements WireRecord {}
    record Sided(Side side) implements WireRecord {}
    IOException failure =
        expectThrows(
            IOException.class, () -> WireRecord.read(written(new Named("UP")), Sided.class));
    assertEquals("unknown Side [UP]", failure.getMessage());
    assertEquals(new Sided(Side.LEFT), WireRecord.read(written(new Named("LEFT")), Sided.class));
  }

  public void testATypeWithoutAFormIsNamed() {
    IllegalStateException failure =
        expectThrows(
            IllegalStateException.class,
            () -> written(new Unwritable(new Inner(1L, new double[0], Side.LEFT))));
    assertTrue(failure.getMessage(), failure.getMessage().contains("class [D cannot be sent"));
  }
}
