// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import com.sun.management.ThreadMXBean;
import io.quickscorer.plugin.memory.MemoryCharge;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.opensearch.OpenSearchException;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchTestCase;

/** What is read of a body is charged with no less than it takes in the heap. */
public class ChargedInputTests extends OpenSearchTestCase {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What a parser and the classes of a first use allocate whatever the body. */
  private static final long FIXED_BYTES = 1 << 20;

  private record Body(
      String name, XContentType type, BytesReference bytes, Door.Reader<?> reader) {}

  private static BytesReference json(String start, String repeated, int times, String end) {
    return new BytesArray(start + repeated.repeat(times) + end);
  }

  private static BytesReference cbor(int value, int times) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {(byte) 0xbf, 0x61, 'a', (byte) 0x9f});
    for (int i = 0; i < times; i++) {
      bytes.write(value);
    }
    bytes.writeBytes(new byte[] {(byte) 0xff, (byte) 0xff});
    return new BytesArray(bytes.toByteArray());
  }

  private static List<Body> bodies() {
    int n = 200_000;
    StringBuilder names = new StringBuilder("{\"\u00e9\":0");
    for (int i = 0; i < n; i++) {
      names.append(",\"").append(Integer.toString(i, 36)).append("\":").append(i);
    }
    Door.Reader<?> numbers =
        in -> {
          Object[] read = new Object[1];
          in.object(1, name -> read[0] = in.doubles(Input.MAX_ITEMS));
          return read;
        };
    Door.Reader<?> rows =
        in -> {
          java.util.ArrayList<float[]> read = new java.util.ArrayList<>();
          in.object(
              1, name -> in.list(Input.MAX_ITEMS, () -> read.add(in.floats(Input.MAX_ITEMS))));
          return read;
        };
    return List.of(
        new Body("maps of CBOR", XContentType.CBOR, cbor(0xa0, n), Input::map),
        new Body("arrays of CBOR", XContentType.CBOR, cbor(0x80, n), Input::map),
        new Body("numbers of CBOR", XContentType.CBOR, cbor(0x18, n & ~1), Input::map),
        new Body("empty texts of CBOR", XContentType.CBOR, cbor(0x60, n), Input::map),
        new Body("maps", XContentType.JSON, json("{\"a\":[", "{\"b\":0},", n, "0]}"), Input::map),
        new Body("arrays", XContentType.JSON, json("{\"a\":[", "[0],", n, "0]}"), Input::map),
        new Body("numbers", XContentType.JSON, json("{\"a\":[", "9.5,", n, "0]}"), Input::map),
        new Body(
            "long",
            XContentType.JSON,
            json("{\"a\":[", "99999999999999999999,", n, "0]}"),
            Input::map),
        new Body("texts", XContentType.JSON, json("{\"a\":[", "\"\",", n, "0]}"), Input::map),
        new Body("a text", XContentType.JSON, json("{\"a\":\"", "{{a}}", n, "\"}"), Input::map),
        new Body(
            "a wide text", XContentType.JSON, json("{\"a\":\"", "\u20ac", n, "\"}"), Input::map),
        new Body(
            "names", XContentType.JSON, new BytesArray(names.append('}').toString()), Input::map),
        new Body("scores", XContentType.JSON, json("{\"a\":[", "0,", n, "0]}"), numbers),
        new Body("rows", XContentType.JSON, json("{\"a\":[", "[],", n, "[]]}"), rows),
        new Body("filled rows", XContentType.JSON, json("{\"a\":[", "[1,2,3],", n, "[]]}"), rows));
  }

  private static long used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  public void testWhatIsReadIsChargedWithWhatItTakes() {
    for (Body body : bodies()) {
      try (MemoryCharge charge =
          MemoryCharge.none(new NoopCircuitBreaker(CircuitBreaker.REQUEST), "test")) {
        Object read = Door.body(body.type, body.bytes, charge, body.reader);
        long taken = taken(body, charge.bytes() + FIXED_BYTES);
        assertTrue(
            body.name + ": takes " + taken + ", charged " + charge.bytes(),
            charge.bytes() + FIXED_BYTES >= taken);
        java.lang.ref.Reference.reachabilityFence(read);
      }
    }
  }

  /** Measures again if it is more than allowed: threads of other tests may allocate meanwhile. */
  private static long taken(Body body, long allowed) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5 && least > allowed; i++) {
      try (MemoryCharge charge =
          MemoryCharge.none(new NoopCircuitBreaker(CircuitBreaker.REQUEST), "test")) {
        long before = used();
        Object read = Door.body(body.type, body.bytes, charge, body.reader);
        least = Math.min(least, used() - before);
        java.lang.ref.Reference.reachabilityFence(read);
      }
    }
    return least;
  }

  public void testWhatIsRefusedAllocatesNoMoreThanItWasCharged() {
    for (Body body : bodies()) {
      long limit = 4L * body.bytes.length();
      HierarchyCircuitBreakerService breakers =
          new HierarchyCircuitBreakerService(
              Settings.EMPTY,
              List.of(new BreakerSettings("requests", limit, 1.0)),
              new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS));
      CircuitBreaker breaker = breakers.getBreaker("requests");
      long before = THREADS.getCurrentThreadAllocatedBytes();
      try (MemoryCharge charge = MemoryCharge.none(breaker, "test")) {
        Door.body(body.type, body.bytes, charge, body.reader);
      } catch (CircuitBreakingException refused) {
        assertEquals(429, refused.status().getStatus());
      }
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertTrue(
          body.name + ": allocates " + allocated + " of " + limit,
          allocated <= 2 * limit + FIXED_BYTES);
      assertEquals(body.name, 0, breaker.getUsed());
    }
  }

  private static Object read(String json, Door.Reader<?> reader) {
    return Door.body(
        XContentType.JSON,
        new BytesArray(json),
        MemoryCharge.none(new NoopCircuitBreaker(CircuitBreaker.REQUEST), "test"),
        reader);
  }

  private static String refusal(String json, Door.Reader<?> reader) {
    return expectThrows(Exception.class, () -> read(json, reader)).getMessage();
  }

  public void testRefusalsNameThePlace() {
    Shape<StringBuilder> inner =
        new Shape<StringBuilder>().text("t", StringBuilder::append).required("t");
    Shape<StringBuilder> shape =
        new Shape<StringBuilder>()
            .whole("n", 1, 9, (into, n) -> into.append(n))
            .objects("o", 2, inner, StringBuilder::new, (into, all) -> into.append(all))
            .map("m", (into, map) -> into.append(map));
    Door.Reader<?> reader = in -> shape.read(in, new StringBuilder());
    assertEquals("n: expected a number, not null", refusal("{\"n\":null}", reader));
    assertEquals("n: expected a whole number from 1 to 9", refusal("{\"n\":10}", reader));
    assertEquals("n: expected a whole number from 1 to 9", refusal("{\"n\":1e99}", reader));
    assertEquals(
        "o[1]: expected an object, not a string", refusal("{\"o\":[{\"t\":\"\"},\"\"]}", reader));
    assertEquals("o[0]: [t] is missing", refusal("{\"o\":[{}]}", reader));
    assertEquals("o[0]: unknown field [x]", refusal("{\"o\":[{\"x\":1}]}", reader));
    assertEquals(
        "o[0].t: the text is not valid Unicode: character 1 is half of a surrogate pair",
        refusal("{\"o\":[{\"t\":\"\\ud800\"}]}", reader));
    assertEquals(
        "o: expected at most 2 items",
        refusal("{\"o\":[{\"t\":\"\"},{\"t\":\"\"},{\"t\":\"\"}]}", reader));
    assertEquals("body: unknown field [x]", refusal("{\"x\":1}", reader));
    assertEquals("body: expected an object, not an array", refusal("[]", reader));
    assertEquals(
        "the body is not valid json, at m.a[0]", refusal("{\"m\":{\"a\":[1,tru]}}", reader));
    assertEquals(
        "the body is not valid json: duplicate field [a]",
        refusal("{\"m\":{\"a\":1,\"b\":2,\"a\":3}}", reader));
    String deep = "{\"m\":{\"a\":" + "[".repeat(64) + "]".repeat(64) + "}}";
    assertTrue(
        refusal(deep, reader), refusal(deep, reader).endsWith("nested more than 64 levels deep"));
    assertEquals(
        413,
        expectThrows(
                OpenSearchException.class,
                () -> read("{\"o\":[{\"t\":\"\"},{\"t\":\"\"},{\"t\":\"\"}]}", reader))
            .status()
            .getStatus());
  }

  public void testTextsAreBoundedFilesApart() {
    String text = "x".repeat(Input.MAX_TEXT);
    for (String body : List.of("{\"a\":\"%s\"}", "{\"a\":[{\"b\":\"%s\"}]}")) {
      Map<?, ?> read = (Map<?, ?>) read(body.formatted(text), Input::map);
      assertEquals(1, read.size());
      String tooLong = body.formatted(text + "x");
      OpenSearchException e =
          expectThrows(OpenSearchException.class, () -> read(tooLong, Input::map));
      assertEquals(413, e.status().getStatus());
      assertTrue(e.getMessage(), e.getMessage().endsWith(": expected at most 1048576 characters"));
      assertEquals(read.size(), ((Map<?, ?>) read(tooLong, in -> in.withFiles().map())).size());
    }
    Shape<byte[][]> file = new Shape<byte[][]>().any("f", (into, in) -> into[0] = in.utf8());
    byte[][] bytes =
        (byte[][]) read("{\"f\":\"" + text + "x\"}", in -> file.read(in, new byte[1][]));
    assertEquals(Input.MAX_TEXT + 1, bytes[0].length);
  }

  public void testWhatIsReadIsWhatIsWrittenAndCannotChange() {
    String json = "{\"a\":[1,2.5,\"x\",null,true,{},[],{\"b\":{\"c\":[[]]}},12345678901]}";
    Map<?, ?> read = (Map<?, ?>) read(json, Input::map);
    assertEquals(
        org.opensearch.common.xcontent.XContentHelper.convertToMap(
                new BytesArray(json),
                true,
                (org.opensearch.core.xcontent.MediaType) XContentType.JSON)
            .v2(),
        read);
    expectThrows(UnsupportedOperationException.class, read::clear);
    expectThrows(UnsupportedOperationException.class, ((List<?>) read.get("a"))::clear);
    assertEquals(
        "text",
        new String(
            ((byte[])
                read(
                    "{\"a\":\"text\"}",
                    in -> {
                      byte[][] b = new byte[1][];
                      in.object(1, n -> b[0] = in.utf8());
                      return b[0];
                    })),
            StandardCharsets.UTF_8));
  }
}
