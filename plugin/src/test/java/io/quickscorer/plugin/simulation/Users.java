// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.OurActions;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.simulation.Step.Kind;
import io.quickscorer.plugin.simulation.Step.Operation;
import io.quickscorer.plugin.testing.MarkedModels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;

/** Sends requests as users do, and reads the answers. */
final class Users {
  /** The feature set of all models, which no operation changes. */
  static final String BASE = "base";

  private static final Pattern DEFAULT = Pattern.compile("\"default\":(\\d+)");
  private static final Map<String, Integer> MARKS = marks();

  private Users() {}

  private static Map<String, Integer> marks() {
    Map<String, Integer> marks = new HashMap<>();
    for (int mark = 1; mark <= 3; mark++) {
      byte[] file = MarkedModels.file(mark).getBytes(StandardCharsets.UTF_8);
      marks.put(MessageDigests.toHexString(MessageDigests.sha256().digest(file)), mark);
    }
    return marks;
  }

  /** The mark of a model by its file's checksum. */
  static int mark(String sha256) {
    return MARKS.getOrDefault(sha256, 0);
  }

  /** Has a node carry out an operation. */
  static void send(SimulatedNode node, Operation operation, Consumer<Answer> answer) {
    ActionListener<String> listener =
        ActionListener.wrap(
            result -> answer.accept(Answer.of(result)),
            failure -> answer.accept(Answer.of(failure)));
    try {
      send(node, operation, listener);
    } catch (RuntimeException e) {
      listener.onFailure(e);
    }
  }

  private static void send(
      SimulatedNode node, Operation operation, ActionListener<String> listener) {
    String name = operation.name();
    switch (operation.kind()) {
      case UPLOAD, CREATE_MODEL ->
          OurActions.upload(
              node.client,
              name,
              operation.kind() == Kind.CREATE_MODEL,
              BASE,
              new BytesArray(MarkedModels.file(operation.value())),
              listener);
      case DELETE_MODEL -> OurActions.deleteModel(node.client, name, listener);
      case MOVE, ROLL_BACK ->
          OurActions.move(
              node.client,
              name,
              operation.kind() == Kind.MOVE ? operation.target() : null,
              ActionListener.map(listener, move -> move.result() + " " + shown(move.alias())));
      case DELETE_ALIAS -> OurActions.deleteAlias(node.client, name, listener);
      case PUT_SET, CREATE_SET ->
          OurActions.putFeatureSet(
              node.client,
              name,
              operation.kind() == Kind.CREATE_SET,
              set(operation.value()),
              ActionListener.map(listener, created -> created ? "CREATED" : "UPDATED"));
      case DELETE_SET -> OurActions.deleteFeatureSet(node.client, name, listener);
      case READ_MODELS ->
          OurActions.models(
              node.client,
              ActionListener.map(
                  listener,
                  models ->
                      models.stream()
                          .map(model -> model.id().name() + "=" + mark(model.sha256()))
                          .collect(Collectors.joining(" "))));
      case READ_ALIASES ->
          OurActions.aliases(
              node.client,
              ActionListener.map(
                  listener,
                  aliases ->
                      aliases.stream()
                          .map(alias -> alias.name() + "=" + alias.model())
                          .collect(Collectors.joining(" "))));
      case SEARCH -> node.searches.search(name, listener);
      case RESTORE -> throw new IllegalArgumentException(operation.toString());
      case READ_SET ->
          OurActions.featureSet(
              node.client, name, ActionListener.map(listener, set -> Integer.toString(value(set))));
    }
  }

  /** What an alias stands for, and what it stood for before. */
  static String shown(@Nullable ModelAlias alias) {
    if (alias == null) {
      return "none";
    }
    Shares previous = alias.previous();
    return alias.model() + " after " + (previous == null ? "none" : previous.main());
  }

  /** A feature set of one feature with that default. */
  static BytesReference set(int value) {
    return new BytesArray(
        "{\"features\":[{\"name\":\"p\",\"type\":\"param\",\"param\":\"p\",\"default\":"
            + value
            + "}]}");
  }

  /** The default that a feature set's feature has. */
  static int value(FeatureSetStore.Listed set) {
    try (XContentBuilder json = XContentFactory.jsonBuilder()) {
      set.toXContent(json, ToXContent.EMPTY_PARAMS);
      Matcher found = DEFAULT.matcher(json.toString());
      return found.find() ? Integer.parseInt(found.group(1)) : -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
