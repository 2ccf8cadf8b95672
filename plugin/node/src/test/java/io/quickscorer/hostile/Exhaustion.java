// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** Requests that would take more memory, time or stack than a small node has. */
enum Exhaustion {
  /** 200 features repeat a parameter of a million characters. */
  REPEATED_PARAMETER(1) {
    @Override
    Shot shot(SplittableRandom random) {
      return search(
          "docs",
          10,
          10,
          "\"feature_set\": \"repeating\", \"params\": {\"x\": \"" + "y".repeat(1_000_000) + "\"}");
    }
  },

  /** 2,000 features repeat a section over an array: a request of some 80 kB. */
  SECTIONS(1) {
    @Override
    Shot shot(SplittableRandom random) {
      String array = String.join(",", Collections.nCopies(20_000, "\"z\""));
      return search(
          "docs", 10, 10, "\"feature_set\": \"sections\", \"params\": {\"a\": [" + array + "]}");
    }
  },

  /** 2,000 features of a thousand clauses each. */
  CLAUSES(2) {
    @Override
    Shot shot(SplittableRandom random) {
      StringBuilder words = new StringBuilder();
      for (int w = 0; w < 1_000; w++) {
        words.append('w').append(w).append(' ');
      }
      return search(
          "docs", 1_000, 10, "\"feature_set\": \"words\", \"params\": {\"x\": \"" + words + "\"}");
    }
  },

  /** 1,000 features of 10,000 hits, logged, by many clients. */
  LOGGED_VALUES(8) {
    @Override
    Shot shot(SplittableRandom random) {
      return search(
          random.nextBoolean() ? "docs" : "docs3", 10_000, 10_000, "\"feature_set\": \"wide\"");
    }
  },

  /** 1,000 hits explained by a model of 1,000 trees of 64 leaves. */
  EXPLANATIONS(2) {
    @Override
    Shot shot(SplittableRandom random) {
      return new Shot(
          name(),
          "POST",
          "/docs/_search",
          body(1_000, 1_000, "\"model\": \"large\"").replaceFirst("\\{", "{\"explain\": true,"));
    }
  },

  /** The same with a thousand features of each of 10,000 hits. */
  WIDE_EXPLANATIONS(4) {
    @Override
    Shot shot(SplittableRandom random) {
      return new Shot(
          name(),
          "POST",
          "/docs/_search",
          body(10_000, 10_000, "\"model\": \"large\"").replaceFirst("\\{", "{\"explain\": true,"));
    }
  },

  /** Envelopes uploaded at once; every one is refused in the end, for it is no model. */
  UPLOADS(16) {
    @Override
    Shot shot(SplittableRandom random) {
      int megabytes = Integer.getInteger("hostile.upload.mb", 4);
      return new Shot(
          name(),
          "PUT",
          Stage.ROOT + "/models/upload" + random.nextInt(100),
          "{\"feature_set\": \"plain\", \"model\": \"" + "tree\\n".repeat(megabytes << 18) + "\"}");
    }
  },

  /** Queries nested deeper than a stack. */
  NESTING(2) {
    @Override
    Shot shot(SplittableRandom random) {
      int depth = 100 + random.nextInt(900);
      String query =
          "{\"bool\":{\"must\":".repeat(depth) + "{\"match_all\":{}}" + "}}".repeat(depth);
      return new Shot(
          name(),
          "PUT",
          Stage.ROOT + "/feature_sets/nested",
          "{\"features\": [{\"name\": \"f\", \"type\": \"query\", \"query\": " + query + "}]}");
    }
  },

  /** The same as a template's text that gets its depth from a parameter. */
  NESTED_BY_PARAMETER(2) {
    @Override
    Shot shot(SplittableRandom random) {
      int depth = 100 + random.nextInt(900);
      String query =
          "{\\\"bool\\\":{\\\"must\\\":".repeat(depth)
              + "{\\\"match_all\\\":{}}"
              + "}}".repeat(depth);
      return search(
          "docs", 10, 10, "\"feature_set\": \"raw\", \"params\": {\"q\": \"" + query + "\"}");
    }
  },

  /** Engines that searches ask for, of models of some size. */
  DERIVED_ENGINES(4) {
    @Override
    Shot shot(SplittableRandom random) {
      List<String> algorithms =
          List.of("pred", "vpred", "qs", "bwqs", "vqs-128", "rapid-128", "bitsliced", "object");
      return search(
          "docs",
          10,
          10,
          "\"model\": \"large\", \"algorithm\": \""
              + algorithms.get(random.nextInt(algorithms.size()))
              + "\"");
    }
  },

  /** A training file of as many documents as may be. */
  TRAINING_FILE(4) {
    @Override
    Shot shot(SplittableRandom random) {
      return new Shot(
          name(),
          "POST",
          Stage.ROOT + "/feature_sets/wide/_log?max_bytes=4mb",
          "{\"index\": \"docs\", \"format\": \"csv\", \"queries\": [{\"size\": 10000, \"query\":"
              + " {\"match_all\": {}}, \"labels\": {}}]}");
    }
  },

  /** A trial of the widest set on as many documents as may be. */
  TRIAL(4) {
    @Override
    Shot shot(SplittableRandom random) {
      return new Shot(
          name(),
          "POST",
          Stage.ROOT + "/feature_sets/wide/_validate",
          "{\"index\": \"docs3\", \"size\": 1000}");
    }
  },

  /** A feature set as large as a body may be. */
  LARGE_SET(4) {
    @Override
    Shot shot(SplittableRandom random) {
      return new Shot(
          name(),
          "PUT",
          Stage.ROOT + "/feature_sets/large",
          "{\"features\": [" + "{},".repeat(3_000_000) + "{}]}");
    }
  };

  private final int clients;

  Exhaustion(int clients) {
    this.clients = clients;
  }

  /** How many send it at once. */
  int clients() {
    return clients;
  }

  abstract Shot shot(SplittableRandom random);

  Shot search(String index, int window, int size, String clause) {
    return new Shot(name(), "POST", "/" + index + "/_search", body(window, size, clause));
  }

  private static String body(int window, int size, String clause) {
    return "{\"query\": {\"match_all\": {}}, \"_source\": false, \"size\": "
        + size
        + ", \"rescore\": {\"window_size\": "
        + window
        + ", \"quickscorer\": {"
        + clause
        + "}}}";
  }
}
