// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.search.Scorable;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.script.ScoreScript;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptType;

/**
 * A feature whose value is the result of a score script for each document. In the script, {@code
 * _score} is the document's score by the search's own query.
 *
 * @param script the script; parameters inside it take precedence over the request's parameters
 */
record ScriptFeature(String name, Modifiers modifiers, Script script) implements FeatureDefinition {
  /**
   * Maximum length of a script's source, in characters. The compiler's time and memory grow with
   * the square of the length.
   */
  private static final int MAX_LENGTH = 8_192;

  /**
   * Maximum depth of nested brackets in a script's source; the compiler's time and memory grow with
   * it.
   */
  private static final int MAX_DEPTH = 64;

  static ScriptFeature parse(String name, Modifiers modifiers, Options options) {
    return new ScriptFeature(name, modifiers, script(options.take("script")));
  }

  private static Script script(@Nullable Object script) {
    if (script == null) {
      throw new IllegalArgumentException("[script] must be a string or an object");
    }
    try {
      Script parsed = Script.parse(script);
      if (parsed.getType() == ScriptType.INLINE) {
        check(parsed.getIdOrCode());
      }
      return parsed;
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("[script]: " + e.getMessage(), e);
    }
  }

  private static void check(String source) {
    if (source.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "[source] has " + source.length() + " characters, expected at most " + MAX_LENGTH);
    }
    int depth = 0;
    for (int i = 0; i < source.length(); i++) {
      switch (source.charAt(i)) {
        case '(', '[', '{' -> depth++;
        case ')', ']', '}' -> depth = Math.max(0, depth - 1);
        default -> {}
      }
      if (depth > MAX_DEPTH) {
        throw new IllegalArgumentException(
            "[source] has brackets nested more than " + MAX_DEPTH + " deep");
      }
    }
  }

  @Override
  public void tell(Uses uses) {
    uses.script(script);
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("script", script);
  }

  @Override
  public boolean usesScript() {
    return true;
  }

  /**
   * Returns the feature with a script that contains the request's parameters. Parameters that the
   * user wrote in the script take precedence. The script's source is unchanged, so a node compiles
   * it once.
   */
  @Override
  public BoundFeature bind(RequestBinding request) {
    request.checkScripts();
    Map<String, Object> all = new HashMap<>(request.sentParams());
    all.putAll(script.getParams());
    return new Bound(
        name,
        modifiers,
        new Script(
            script.getType(), script.getLang(), script.getIdOrCode(), script.getOptions(), all));
  }

  /**
   * The script feature of one request.
   *
   * @param script the script, with the request's parameters
   */
  record Bound(String name, Modifiers modifiers, Script script) implements BoundFeature {
    @Override
    public ShardFeature onShard(ShardBinding shard) {
      return ShardFeature.of(values(shard.context()), modifiers);
    }

    private ShardFeature.Source values(QueryShardContext context) {
      ScoreScript.Factory factory = context.compile(script, ScoreScript.CONTEXT);
      return (searcher, window, out) -> {
        ScoreScript.LeafFactory leaves =
            factory.newFactory(script.getParams(), context.lookup(), searcher);
        window.forEachSegment(
            searcher,
            (segment, from, to) -> {
              ScoreScript score = leaves.newInstance(segment);
              Cancellation cancellation = Cancellation.of(searcher);
              FirstPass firstPass = new FirstPass(window);
              score.setScorer(firstPass);
              score._setIndexName(context.index().getName());
              score._setShard(context.getShardId());
              score._setIndexVersion(context.indexVersionCreated());
              for (int i = from; i < to; i++) {
                // Checked before each document, because a script may take any time.
                cancellation.check();
                firstPass.place = i;
                score.setDocument(window.docs()[i] - segment.docBase);
                out[i] = score.execute(null);
              }
            });
      };
    }
  }

  private static final class FirstPass extends Scorable {
    private final Window window;
    private int place;

    FirstPass(Window window) {
      this.window = window;
    }

    @Override
    public float score() {
      return window.scores()[place];
    }
  }
}
