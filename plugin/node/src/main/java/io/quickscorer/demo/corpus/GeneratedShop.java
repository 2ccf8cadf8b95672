// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import io.quickscorer.demo.corpus.Corpus.Document;
import io.quickscorer.demo.corpus.Corpus.Fields;
import io.quickscorer.train.data.JudgedQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Generates the products of a shop, for a demo without a corpus. The products are the same on all
 * machines. As in real shops, a text query ranks them badly: accessories and some descriptions
 * contain the name of another product, and few of many similar products sell well.
 */
public final class GeneratedShop {
  private static final long SEED = 20261121;
  private static final Fields FIELDS =
      new Fields(
          "title",
          "description",
          List.of("category", "brand"),
          List.of("price", "sales", "rating", "reviews", "age_days"));
  private static final String INDEX =
      """
      {"mappings": {"properties": {
        "title": {"type": "text", "analyzer": "english"},
        "description": {"type": "text", "analyzer": "english"},
        "category": {"type": "text", "analyzer": "english"},
        "brand": {"type": "text"},
        "price": {"type": "float"},
        "sales": {"type": "integer"},
        "rating": {"type": "float"},
        "reviews": {"type": "integer"},
        "age_days": {"type": "integer"}}}}
      """;

  private GeneratedShop() {}

  /** Generates products, and judged queries with distinct texts. */
  public static Corpus generate(int productCount, int queryCount) {
    Random random = new Random(SEED);
    List<Product> products = new ArrayList<>();
    Map<String, List<Product>> byNoun = new HashMap<>();
    for (int i = 0; i < productCount; i++) {
      Product product = Product.random("p" + i, random);
      products.add(product);
      byNoun.computeIfAbsent(product.noun(), noun -> new ArrayList<>()).add(product);
    }
    Map<String, JudgedQuery> queries = new LinkedHashMap<>();
    while (queries.size() < queryCount) {
      Product wish = Product.pick(products, random);
      Shopper shopper = new Shopper(wish, random);
      String text = shopper.query(random);
      if (!queries.containsKey(text)) {
        List<Product> candidates = byNoun.getOrDefault(wish.noun(), List.of());
        queries.put(text, judged("q" + queries.size(), text, shopper, candidates, random));
      }
    }
    List<Document> documents = products.stream().map(Product::document).toList();
    return new Corpus(
        "shop", CorpusFolder.object(INDEX), FIELDS, documents, List.copyOf(queries.values()));
  }

  /**
   * Returns a query with the grades of the candidates (the products of the kind that the shopper
   * wants). All other products have grade 0.
   */
  private static JudgedQuery judged(
      String id, String text, Shopper shopper, List<Product> candidates, Random random) {
    Map<String, Integer> judgments = new HashMap<>();
    for (Product product : candidates) {
      judgments.put(product.id(), shopper.grade(product));
    }
    return new JudgedQuery(id, text, judgments, shopper.clickLabels(candidates, random));
  }
}
