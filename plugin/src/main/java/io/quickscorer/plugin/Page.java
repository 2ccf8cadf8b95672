// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestResponse;

/**
 * The web page that shows the state of the plugin. It consists of one file, and loads no other
 * files. Its content security policy allows the browser to run only the script in this file, and to
 * send requests only to this server.
 */
final class Page {
  private static final String FILE = "ui.html";

  private final BytesReference page;
  private final String policy;

  Page() {
    String text = read();
    page = new BytesArray(text);
    policy =
        "default-src 'none'; connect-src 'self'; script-src "
            + hash(text, "script")
            + "; style-src "
            + hash(text, "style")
            + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  }

  private static String read() {
    try (InputStream file = Page.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IllegalStateException(FILE + " is missing from the plugin's JAR");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the hash of an HTML element's content, for the content security policy. The page must
   * contain exactly one element of this kind.
   *
   * @param text the page
   * @param element the element's name, such as {@code script}
   */
  private static String hash(String text, String element) {
    String start = "<" + element + ">";
    int begin = text.indexOf(start) + start.length();
    String content = text.substring(begin, text.indexOf("</" + element + ">", begin));
    MessageDigest sha256 = MessageDigests.sha256();
    byte[] digest = sha256.digest(content.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }

  RestResponse response() {
    RestResponse response = new BytesRestResponse(RestStatus.OK, "text/html; charset=utf-8", page);
    response.addHeader("Content-Security-Policy", policy);
    response.addHeader("X-Content-Type-Options", "nosniff");
    response.addHeader("Referrer-Policy", "no-referrer");
    response.addHeader("Cache-Control", "no-cache");
    return response;
  }
}
