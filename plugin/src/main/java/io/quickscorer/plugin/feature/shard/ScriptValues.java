package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.feature.window.Segments;
import io.quickscorer.plugin.feature.window.Window;
import org.apache.lucene.search.Scorable;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.script.ScoreScript;
import org.opensearch.script.Script;

/** A score script run for each document; its {@code _score} is the first pass's. */
final class ScriptValues {

  private ScriptValues() {}

  static DocumentValues of(Script script, QueryShardContext context) {
    ScoreScript.Factory factory = context.compile(script, ScoreScript.CONTEXT);
    return (searcher, window, out) -> {
      ScoreScript.LeafFactory leaves =
          factory.newFactory(script.getParams(), context.lookup(), searcher);
      Segments.forEach(
          searcher,
          window,
          (segment, from, to) -> {
            ScoreScript score = leaves.newInstance(segment);
            Cancellation cancellation = Cancellation.of(searcher);
            FirstPass firstPass = new FirstPass(window);
            score.setScorer(firstPass);
            for (int i = from; i < to; i++) {
              // Before each: nobody knows how long a script takes.
              cancellation.check();
              firstPass.place = i;
              score.setDocument(window.docs()[i] - segment.docBase);
              out[i] = score.execute(null);
            }
          });
    };
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
