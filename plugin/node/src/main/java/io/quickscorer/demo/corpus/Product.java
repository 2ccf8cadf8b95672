// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import io.quickscorer.demo.corpus.Assortment.Department;
import io.quickscorer.demo.corpus.Corpus.Document;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.node.ObjectNode;

/**
 * A generated product of the shop.
 *
 * @param noun the kind of product; for an accessory, the kind of product to which it belongs
 * @param accessory the kind of accessory; empty if the product is not an accessory
 * @param neighbour another kind of product, which the description mentions
 * @param quality a hidden value with a standard normal distribution, which affects sales and
 *     ratings
 */
record Product(
    String id,
    Department department,
    String noun,
    String accessory,
    String brand,
    String series,
    String material,
    String trait,
    String use,
    String neighbour,
    double quality,
    double price,
    int sales,
    double rating,
    int reviews,
    int ageDays) {

  static Product random(String id, Random random) {
    Department department = pick(Assortment.DEPARTMENTS, random);
    String accessory = random.nextInt(4) == 0 ? pick(department.accessory(), random) : "";
    double quality = random.nextGaussian();
    double scale = accessory.isEmpty() ? 1 : 0.15;
    double price =
        department.price() * scale * Math.exp(0.45 * random.nextGaussian() + 0.15 * quality);
    double sales = Math.exp(2.2 + 0.8 * quality + 1.1 * random.nextGaussian());
    int reviews = (int) (sales * (0.1 + 0.4 * random.nextDouble()));
    return new Product(
        id,
        department,
        pick(department.nouns(), random),
        accessory,
        pick(Assortment.BRANDS, random),
        pick(Assortment.SERIES, random),
        pick(department.materials(), random),
        pick(department.traits(), random),
        pick(department.uses(), random),
        pick(department.nouns(), random),
        quality,
        Math.round(price * 100) / 100.0,
        (int) sales,
        Math.clamp(
            Math.round(10 * (3.9 + 0.45 * quality + 0.35 * random.nextGaussian())) / 10.0, 1, 5),
        reviews,
        random.nextInt(1500));
  }

  static <T> T pick(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  boolean isAccessory() {
    return !accessory.isEmpty();
  }

  String title() {
    return isAccessory()
        ? brand + " " + accessory + " for " + trait + " " + noun
        : brand + " " + series + " " + trait + " " + material + " " + noun;
  }

  private String description() {
    if (isAccessory()) {
      return "This "
          + accessory
          + " fits every "
          + noun
          + " of our "
          + series
          + " line and most others. Made of "
          + material
          + ". Your "
          + noun
          + " will last longer. Goes with any "
          + neighbour
          + " too.";
    }
    return "Built for "
        + use
        + ", with "
        + material
        + " where it counts. The "
        + series
        + " line by "
        + brand
        + " also has a matching "
        + neighbour
        + ". Customers call it "
        + trait
        + " and sturdy.";
  }

  Document document() {
    ObjectNode source = CorpusFolder.JSON.createObjectNode();
    source.put("title", title()).put("description", description());
    source.put("category", department.name() + (isAccessory() ? " accessories" : ""));
    source.put("brand", brand).put("price", price).put("sales", sales).put("rating", rating);
    source.put("reviews", reviews).put("age_days", ageDays);
    return new Document(id, source);
  }
}
