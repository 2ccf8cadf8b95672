// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.JudgedQuery;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command line's way from judgments to a model, on the generated shop in a node. */
final class TrainIT {
  private static final String INDEX = "train";
  static final String QUERY =
      "{\"multi_match\": {\"query\": \"{{keywords}}\", \"fields\": [\"title^2\","
          + " \"description\"]}}";
  private static final Path TRAINERS = Path.of("../../scorer-core/train/target/trainers");
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private static Path temp;
  private static Path judgments;

  @BeforeAll
  static void index() throws Exception {
    new ShopOnNode(SharedNode.get().client()).createIndex(INDEX, 1);
    judgments = temp.resolve("judgments.tsv");
    try (BufferedWriter out = Files.newBufferedWriter(judgments)) {
      out.write("query_id\tquery\tdoc_id\tgrade\n");
      for (JudgedQuery query : ShopOnNode.SHOP.queries()) {
        for (Map.Entry<String, Integer> judged : query.judgments().entrySet()) {
          out.write(query.id() + "\t" + query.text() + "\t" + judged.getKey());
          out.write("\t" + judged.getValue() + "\n");
        }
      }
    }
  }

  private static String quickscorer(String command, String... more) throws Exception {
    List<String> line = new ArrayList<>(List.of(command));
    line.addAll(List.of("--cluster", SharedNode.get().address().toString()));
    line.addAll(List.of("--index", INDEX, "--feature-set", ShopOnNode.FEATURE_SET));
    line.addAll(List.of("--judgments", judgments.toString(), "--query", QUERY));
    line.addAll(List.of("--size", "50"));
    line.addAll(List.of(more));
    return run(line);
  }

  /** Runs the command line, which must not tell of what its JVM is made of. */
  static String run(List<String> arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of("sh", "../../scorer-core/bin/quickscorer"));
    line.addAll(arguments);
    String said = Program.run(Path.of("."), "", line.toArray(String[]::new));
    assertFalse(said.contains("incubator"), said);
    return said;
  }

  /** Rows per query in the file that {@code train} reads. */
  private static int[] logged() throws Exception {
    Path file = temp.resolve("features.ndjson");
    quickscorer("log", "-o", file.toString());
    Map<String, Integer> sizes = new LinkedHashMap<>();
    for (FeatureLog.Line line : FeatureLog.read(file).lines()) {
      sizes.merge(line.query(), 1, Integer::sum);
    }
    return sizes.values().stream().mapToInt(Integer::intValue).toArray();
  }

  private static int[] numbers(Path file) throws IOException {
    return Files.readAllLines(file).stream().mapToInt(Integer::parseInt).toArray();
  }

  private static int[] sizes(int[] ends) {
    int[] sizes = new int[ends.length - 1];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = ends[i + 1] - ends[i];
    }
    return sizes;
  }

  @Test
  void trainersReadTheFilesAndThoseBeside() throws Exception {
    int[] expected = logged();
    assertTrue(expected.length > 150, "queries with hits: " + expected.length);
    Path csv = temp.resolve("shop.csv");
    quickscorer("log", "--format", "lightgbm", "-o", csv.toString());
    assertArrayEquals(expected, numbers(temp.resolve("shop.csv.query")));
    String told = String.join(" ", Files.readAllLines(temp.resolve("shop.csv.conf")));
    assertArrayEquals(expected, byLightGbm(csv, told));
    // Without the column the sizes can only come from the file beside.
    String others = told.replace("group_column=name:qid", "ignore_column=name:qid");
    assertArrayEquals(expected, byLightGbm(csv, others));

    Path txt = temp.resolve("shop.txt");
    quickscorer("log", "--format", "xgboost", "-o", txt.toString());
    assertArrayEquals(expected, numbers(temp.resolve("shop.txt.group")));
    assertArrayEquals(expected, byXgBoost(txt));
    assertEquals(
        ShopOnNode.featureNames(),
        Files.readAllLines(temp.resolve("shop.txt.fmap")).stream()
            .map(line -> line.split("\t")[1])
            .toList());

    Path dsv = temp.resolve("shop.dsv");
    quickscorer("log", "--format", "catboost", "-o", dsv.toString());
    List<String> columns = Files.readAllLines(temp.resolve("shop.dsv.cd"));
    for (String row : Files.readAllLines(dsv)) {
      assertEquals(columns.size(), row.split("\t", -1).length);
    }
  }

  /** Sizes of the queries, as LightGBM has them of a file. */
  private static int[] byLightGbm(Path file, String parameters) throws LGBMException {
    try (LGBMDataset data =
        LGBMDataset.createFromFile(file.toString(), parameters + " verbosity=-1", null)) {
      return sizes(data.getFieldInt("group"));
    }
  }

  /** The same by XGBoost's own library. */
  private static int[] byXgBoost(Path file) throws Exception {
    List<URL> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(TRAINERS, "*.jar")) {
      for (Path jar : found) {
        jars.add(jar.toUri().toURL());
      }
    }
    try (URLClassLoader loader = new URLClassLoader(jars.toArray(URL[]::new))) {
      Class<?> matrix = loader.loadClass("ml.dmlc.xgboost4j.java.DMatrix");
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodHandle read =
          lookup.findConstructor(matrix, MethodType.methodType(void.class, String.class));
      MethodHandle group =
          lookup.findVirtual(matrix, "getGroup", MethodType.methodType(int[].class));
      Object data = read.invokeWithArguments(file + "?format=libsvm");
      return sizes((int[]) group.invokeWithArguments(data));
    } catch (Exception e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** What a user does: one command, and the model ranks better than the first pass. */
  @Test
  void aModelOfTheShopIsBetterBeyondNoise() throws Exception {
    Path folder = temp.resolve("training");
    quickscorer("train", "-o", folder.toString(), "--upload", "trained");
    JsonNode result = JSON.readTree(Files.readString(folder.resolve("result.json")));
    assertTrue(result.get("better").asBoolean(), result.toString());
    assertTrue(result.at("/ndcg_gain/low").asDouble() > 0, result.toString());
    System.out.println("the shop by quickscorer train: " + result);
    SharedNode.get().client().get("/_plugins/_quickscorer/models/trained");
    assertTrue(Files.readString(folder.resolve("report.html")).contains("<svg"));
  }
}
