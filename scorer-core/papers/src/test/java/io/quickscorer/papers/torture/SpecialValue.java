// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.ensemble.MissingValue;
import java.util.SplittableRandom;

/** A kind of value that plain data never has, so that compiled code meets it late. */
enum SpecialValue {
  NAN {
    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return Float.NaN;
    }
  },
  POSITIVE_ZERO {
    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return 0f;
    }
  },
  NEGATIVE_ZERO {
    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return -0f;
    }
  },
  /** At or next to the bound below which a value counts as zero. */
  TINY {
    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      float bound = MissingValue.ZERO_BOUND;
      float[] values = {bound, Math.nextUp(bound), Math.nextDown(bound), bound / 10};
      return signed(random, values[random.nextInt(values.length)]);
    }
  },
  DENORMAL {
    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return signed(random, Float.MIN_VALUE * random.nextInt(1, 1 << 23));
    }
  },
  POSITIVE_INFINITY {
    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return Float.POSITIVE_INFINITY;
    }
  },
  NEGATIVE_INFINITY {
    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return Float.NEGATIVE_INFINITY;
    }
  },
  LARGEST {
    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return signed(random, Float.MAX_VALUE);
    }
  },
  ON_THRESHOLD {
    @Override
    boolean suits(FeatureEdges edges) {
      return edges.thresholds().length > 0;
    }

    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return threshold(random, edges);
    }
  },
  ABOVE_THRESHOLD {
    @Override
    boolean suits(FeatureEdges edges) {
      return edges.thresholds().length > 0;
    }

    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return Math.nextUp(threshold(random, edges));
    }
  },
  BELOW_THRESHOLD {
    @Override
    boolean suits(FeatureEdges edges) {
      return edges.thresholds().length > 0;
    }

    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return Math.nextDown(threshold(random, edges));
    }
  },
  UNSEEN_CATEGORY {
    @Override
    boolean suits(FeatureEdges edges) {
      return edges.isCategorical();
    }

    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return (float) edges.lastEnd() + random.nextInt(130);
    }
  },
  HUGE_CATEGORY {
    @Override
    boolean suits(FeatureEdges edges) {
      return edges.isCategorical();
    }

    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      float[] values = {16_777_216f, 2_147_483_648f, 4_294_967_296f, 9.3e18f, 3e38f};
      return values[random.nextInt(values.length)];
    }
  },
  NEGATIVE_CATEGORY {
    @Override
    boolean suits(FeatureEdges edges) {
      return edges.isCategorical();
    }

    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      float[] values = {-1f, -2f, -64f, -16_777_216f, -2_147_483_648f, -3e38f};
      return values[random.nextInt(values.length)];
    }
  },
  FRACTIONAL_CATEGORY {
    @Override
    boolean suits(FeatureEdges edges) {
      return edges.isCategorical();
    }

    @Override
    float of(SplittableRandom random, FeatureEdges edges) {
      return (float) random.nextDouble(-1, edges.lastEnd() + 1.0);
    }
  };

  /** Whether a feature can have such a value that is special to it. */
  boolean suits(FeatureEdges edges) {
    return true;
  }

  abstract float of(SplittableRandom random, FeatureEdges edges);

  private static float signed(SplittableRandom random, float value) {
    return random.nextBoolean() ? value : -value;
  }

  private static float threshold(SplittableRandom random, FeatureEdges edges) {
    return edges.thresholds()[random.nextInt(edges.thresholds().length)];
  }
}
