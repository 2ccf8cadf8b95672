// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.CategoryCodes;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.DerivedColumns.Statistic;
import io.quickscorer.ensemble.FeatureCombination;
import io.quickscorer.ensemble.LinearLeaves;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.Normalisation;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/**
 * A hash of all parts of a model on which scores depend: splits, leaves, terms, derived columns,
 * arithmetic, and the names of the features in use. If two versions of this library compute equal
 * fingerprints for a file, their scores are bit-identical. The hash does not include statistics,
 * notes and the model's origin.
 *
 * <p>Fingerprints are stored. An optional part of a model is hashed only if it is present. So
 * support for a new part does not change the fingerprints of models without it.
 */
public final class Fingerprint {
  private final MessageDigest digest;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 13);

  private Fingerprint() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Computes the fingerprint of a model, a text of 64 hexadecimal digits. */
  public static String of(TreeEnsemble ensemble) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.add(ensemble);
    fingerprint.flush();
    return HexFormat.of().formatHex(fingerprint.digest.digest());
  }

  private void add(TreeEnsemble ensemble) {
    OutputTransform transform = ensemble.transform();
    add(ensemble.accumulator().name());
    add(transform.kind().name());
    add(transform.parameter());
    add(transform.divisor());
    add(ensemble.initialScore());
    add(ensemble.scale());
    add(ensemble.bias());
    add(ensemble.divisor());
    add(ensemble.treesPerBag());
    for (int feature = 0; feature < ensemble.featureNames().size(); feature++) {
      if (ensemble.uses(feature)) {
        add(feature);
        add(ensemble.featureNames().get(feature));
      }
    }
    add(ensemble.trees().size());
    ensemble.trees().forEach(this::add);
    if (ensemble.linear() != null) {
      add(ensemble.linear());
    }
    if (ensemble.derived() != null) {
      add(ensemble.derived());
    }
  }

  private void add(Tree tree) {
    add(tree.splits());
    for (int split = 0; split < tree.splits(); split++) {
      add(tree.feature(split));
      add(tree.left(split));
      add(tree.right(split));
      add(tree.missing(split).left());
      add(tree.missing(split).zeroIsMissing());
      CategorySet categories = tree.categories(split);
      add(categories != null);
      if (categories == null) {
        add(tree.threshold(split));
      } else {
        add(categories);
      }
    }
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      add(tree.leafValue(leaf));
    }
    LinearLeaves functions = tree.linearLeaves();
    if (functions != null) {
      add("linear leaves");
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        add(functions.constant(leaf));
        add(functions.terms(leaf));
        for (int term = 0; term < functions.terms(leaf); term++) {
          add(functions.feature(leaf, term));
          add(functions.coefficient(leaf, term));
        }
      }
    }
  }

  private void add(CategorySet set) {
    add(set.rounding().name());
    add(set.categories());
  }

  private void add(LinearTerms terms) {
    add("linear");
    add(terms.size());
    for (int term = 0; term < terms.size(); term++) {
      add(terms.feature(term));
      add(terms.weight(term));
      add(terms.offset(term));
      add(terms.divisor(term));
    }
  }

  private void add(DerivedColumns derived) {
    add("derived");
    add(derived.statistics().size());
    derived.statistics().forEach(this::add);
    add(derived.codes().size());
    new TreeMap<>(derived.codes()).forEach(this::add);
    add(derived.normalisations().size());
    for (Normalisation normalisation : derived.normalisations()) {
      add(normalisation.norm().name());
      add(normalisation.features());
    }
  }

  private void add(Statistic statistic) {
    FeatureCombination combination = statistic.combination();
    add(combination.categories());
    add(combination.numbers());
    for (int number = 0; number < combination.numbers().length; number++) {
      add(combination.bounds()[number]);
      add(combination.missingIsAbove()[number]);
    }
    add(combination.tested());
    add(combination.hashes());
    add(statistic.keys().length);
    for (long key : statistic.keys()) {
      room(Long.BYTES).putLong(key);
    }
    add(statistic.columns());
    for (int column = 0; column < statistic.columns(); column++) {
      add(statistic.otherwise()[column]);
      for (float value : statistic.values()[column]) {
        add(value);
      }
    }
  }

  private void add(int feature, CategoryCodes codes) {
    add(feature);
    add(codes.end());
    for (int category = 0; category < codes.end(); category++) {
      add(codes.hashOf(category));
    }
  }

  private void add(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    add(utf8.length);
    flush();
    digest.update(utf8);
  }

  private void add(int[] numbers) {
    add(numbers.length);
    for (int number : numbers) {
      add(number);
    }
  }

  private void add(boolean yes) {
    room(Byte.BYTES).put((byte) (yes ? 1 : 0));
  }

  private void add(int number) {
    room(Integer.BYTES).putInt(number);
  }

  private void add(float number) {
    room(Float.BYTES).putInt(Float.floatToRawIntBits(number));
  }

  private void add(double number) {
    room(Double.BYTES).putLong(Double.doubleToRawLongBits(number));
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      flush();
    }
    return buffer;
  }

  private void flush() {
    digest.update(buffer.flip());
    buffer.clear();
  }
}
