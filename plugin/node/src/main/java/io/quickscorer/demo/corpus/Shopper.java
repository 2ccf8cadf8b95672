// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * A simulated shopper: wants a kind of product, types a query for it, and clicks on results.
 *
 * <p>Grades: 3 for a good product with all requested properties, 2 for another product with all
 * requested properties, 1 for the right kind of product, 0 for any other product. A shopper looks
 * at position p, from 0, with probability 1 / (1 + 0.2 p). Then the shopper clicks with a
 * probability that depends on the grade.
 */
final class Shopper {
  private static final double[] CLICKS_BY_GRADE = {0.04, 0.15, 0.4, 0.65};
  private static final double[] LABEL_BOUNDS = {0.1, 0.27, 0.52};
  private static final int PAGE = 20;
  private static final int MIN_VIEWS = 5;

  private final Product wish;
  private final List<String> asked = new ArrayList<>();

  /**
   * Creates a shopper who wants a product like {@code wish}, and whose query contains 0 to 2 of the
   * product's properties.
   */
  Shopper(Product wish, Random random) {
    this.wish = wish;
    List<String> properties =
        new ArrayList<>(List.of(wish.trait(), wish.material(), wish.brand(), wish.trait()));
    int count = wish.isAccessory() ? 0 : random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String property = Product.pick(properties, random);
      properties.removeIf(property::equals);
      asked.add(property);
    }
  }

  String query(Random random) {
    String what = wish.isAccessory() ? wish.noun() + " " + wish.accessory() : wish.noun();
    String head = !what.endsWith("s") && random.nextInt(4) == 0 ? what + "s" : what;
    List<String> words = new ArrayList<>(asked);
    words.add(random.nextInt(5) == 0 ? 0 : words.size(), head);
    if (random.nextInt(12) == 0) {
      words.addFirst("best");
    }
    if (!wish.isAccessory() && random.nextInt(8) == 0) {
      words.add("for " + wish.use());
    }
    return String.join(" ", words).toLowerCase(Locale.ROOT);
  }

  int grade(Product product) {
    if (!product.noun().equals(wish.noun()) || !product.accessory().equals(wish.accessory())) {
      return 0;
    }
    String properties = product.trait() + "|" + product.material() + "|" + product.brand();
    if (!asked.stream().allMatch(properties::contains)) {
      return 1;
    }
    return product.quality() > 0.3 ? 3 : 2;
  }

  /**
   * Simulates clicks of shoppers. Returns labels (grades) that are computed from the clicks, by
   * product id. Products that were seen too rarely get no label.
   */
  Map<String, Integer> clickLabels(List<Product> candidates, Random random) {
    Map<String, Double> looks = new HashMap<>();
    Map<String, Integer> clicks = new HashMap<>();
    int sessions = 60 + random.nextInt(240);
    for (int session = 0; session < sessions; session++) {
      for (int position = 0; position < PAGE; position++) {
        Product product = Product.pick(candidates, random);
        double look = 1 / (1 + 0.2 * position);
        looks.merge(product.id(), look, Double::sum);
        if (random.nextDouble() < look * CLICKS_BY_GRADE[grade(product)]) {
          clicks.merge(product.id(), 1, Integer::sum);
        }
      }
    }
    Map<String, Integer> labels = new HashMap<>();
    looks.forEach(
        (id, seen) -> {
          if (seen >= MIN_VIEWS) {
            labels.put(id, label(clicks.getOrDefault(id, 0) / seen));
          }
        });
    return labels;
  }

  private static int label(double clickRate) {
    int label = 0;
    while (label < LABEL_BOUNDS.length && clickRate >= LABEL_BOUNDS[label]) {
      label++;
    }
    return label;
  }
}
