// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.plugin.model.Gzip;
import io.quickscorer.plugin.model.ModelDescription.UploadedFile;
import java.nio.charset.StandardCharsets;
import org.opensearch.test.OpenSearchTestCase;

public class KeptFileTests extends OpenSearchTestCase {
  private static UploadedFile kept(byte[] uploaded, byte[] plain) {
    KeptFile kept = KeptFile.of("m", uploaded, plain, Gzip.compress(uploaded));
    byte[] stored = kept.stored().toBytesRef().bytes;
    assertArrayEquals(uploaded, Gzip.decompress(stored, kept.file().bytes()));
    expectThrows(
        IllegalArgumentException.class, () -> Gzip.decompress(stored, uploaded.length - 1));
    expectThrows(
        IllegalArgumentException.class, () -> Gzip.decompress(stored, uploaded.length + 1));
    return kept.file();
  }

  private static void assertType(String name, String contentType, byte[] plain) {
    UploadedFile file = kept(plain, plain);
    assertEquals(name, file.name());
    assertEquals(contentType, file.contentType());
    UploadedFile packed = kept(Gzip.compress(plain), plain);
    assertEquals(name + ".gz", packed.name());
    assertEquals("application/gzip", packed.contentType());
  }

  /** What is said of a file does not depend on who claims what. */
  public void testTypes() {
    assertType("m.json", "application/json", utf8(" \n{\"a\":1}"));
    assertType("m.json", "application/json", utf8("[1]"));
    assertType("m.xml", "application/xml", utf8("\ufeff<ranker/>"));
    assertType("m.txt", "text/plain; charset=UTF-8", utf8("## LambdaMART"));
    assertType("m.bin", "application/octet-stream", new byte[] {'{', 'i', 7, 0, 1});
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
