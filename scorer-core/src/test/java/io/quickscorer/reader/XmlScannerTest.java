// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.XmlScanner.Event;
import io.quickscorer.reader.input.BoundedInput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The little of XML that tree models need, event by event, and what is refused where. */
final class XmlScannerTest {
  private static XmlScanner scanner(String xml, int start) {
    return new XmlScanner(BoundedInput.ofPlain(xml.getBytes(StandardCharsets.UTF_8)), start);
  }

  /** Each event as its kind, name, text and place. */
  private static List<String> events(String xml) {
    XmlScanner scanner = scanner(xml, 0);
    List<String> events = new ArrayList<>();
    Event event;
    while ((event = scanner.next()) != Event.END_OF_FILE) {
      String kind = event == Event.START ? "<" : ">";
      events.add(kind + scanner.name() + "|" + scanner.text() + "|" + scanner.offset());
    }
    return events;
  }

  private static void refused(String xml, String message) {
    assertEquals(
        message, assertThrows(InvalidModelException.class, () -> events(xml)).getMessage());
  }

  @Test
  void elementsAndText() {
    assertEquals(List.of("<a||0", "<b||3", ">b|x y|11", ">a||16"), events("<a><b> x y </b>\n</a>"));
    assertEquals(
        List.of("<a||1", ">a||1", "<b||5", ">b|\u00fc|11"), events(" <a/><b> \u00fc</b> "));
    assertEquals(List.of("<a||21", ">a||21"), events("<?xml version=\"1.0\"?><a />"));
    assertEquals(List.of(), events(" \n"));
    assertEquals(List.of("<a||2", ">a|1|6"), events("  <a>1</a>"));
  }

  @Test
  void comments() {
    assertEquals(List.of("<a||0", ">a|12|17"), events("<a>1<!-- <b> -->2</a >"));
    assertEquals(List.of("<a||7", ">a||10"), events("<!---->" + "<a></a>"));
    refused("<a><!-- ", "byte 3: expected -->");
    refused("<a><!-- --", "byte 3: expected -->");
    refused("<?xml ", "byte 0: expected ?>");
  }

  @Test
  void attributes() {
    XmlScanner scanner = scanner("..<a b='1' c = \"2>\"/>", 2);
    assertEquals(Event.START, scanner.next());
    assertEquals("1", scanner.attribute("b"));
    assertEquals("2>", scanner.attribute("c"));
    assertEquals("", scanner.attribute("d"));
    assertEquals(Event.END, scanner.next());
    assertEquals("a", scanner.name());
    XmlScanner next = scanner("<a b='1'><c/></a>", 0);
    next.next();
    next.next();
    assertEquals("", next.attribute("b"), "another element's");
    String many = "";
    for (int i = 0; i < 16; i++) {
      many += " a" + i + "='1'";
    }
    assertEquals(2, events("<a" + many + "/>").size());
    refused(
        " <a" + many + " b='1'/>",
        "byte 1: XML: an element has too many attributes, or the same attribute twice");
    refused(
        "<a b='1' b='1'/>",
        "byte 0: XML: an element has too many attributes, or the same attribute twice");
    refused("<a b=1/>", "byte 0: XML: the value of an attribute has no quotes");
    refused("<a b/>", "byte 4: expected =");
    refused("<a b='1", "byte 7: expected '");
    refused("<a b=\"1'/>", "byte 10: expected \"");
  }

  @Test
  void names() {
    String name = "n".repeat(64);
    assertEquals(2, events("<" + name + "/>").size());
    refused("<" + name + "n/>", "byte 0: XML: expected a name of at most 64 characters");
    refused("<>", "byte 0: XML: expected a name of at most 64 characters");
    refused("<a><", "byte 3: XML: expected a name of at most 64 characters");
    refused("<a =\"1\"/>", "byte 0: XML: expected a name of at most 64 characters");
    refused("<a/b>", "byte 3: expected >");
    refused("<a", "byte 0: XML: expected a name of at most 64 characters");
  }

  @Test
  void structure() {
    refused("<a></b>", "byte 3: XML: an end tag has no start tag");
    refused("<a></a></a>", "byte 7: XML: an end tag has no start tag");
    refused("<a><b></b>", "byte 10: XML: the file ends inside an element");
    refused("<a></a x>", "byte 7: expected >");
    refused("<a></a> x", "byte 8: text is outside the elements");
    refused(" x <a/>", "byte 1: text is outside the elements");
    assertEquals(20_000, events("<a>".repeat(10_000) + "</a>".repeat(10_000)).size());
    refused("<a>".repeat(10_001), "byte 30000: XML: nested more than 10000 deep");
  }

  @Test
  void whatIsNotSupported() {
    String said = "XML: document types, entities and processing instructions are not supported";
    refused("<a><!DOCTYPE a></a>", "byte 3: " + said);
    refused("<a><?x?></a>", "byte 3: " + said);
    refused("<a><![CDATA[x]]></a>", "byte 3: " + said);
    refused("<a> &lt;</a>", "byte 3: entities are not supported");
  }
}
