// SPDX-License-Identifier: Apache-2.0
import ai.catboost.spark.CatBoostRegressionModel;
import ai.catboost.spark.CatBoostRegressor;
import ai.catboost.spark.Pool;
import ai.catboost.spark.params.PoolLoadParams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.ml.attribute.Attribute;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.attribute.NominalAttribute;
import org.apache.spark.ml.attribute.NumericAttribute;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import ru.yandex.catboost.spark.catboost4j_spark.core.src.native_impl.EModelType;
import ru.yandex.catboost.spark.catboost4j_spark.core.src.native_impl.EOverfittingDetectorType;

/**
 * CatBoost itself reads a pool, trains on it and scores its rows. Its library for Spark reads no
 * categories from files: where the description has some, rows are read here, and CatBoost gets each
 * category by the number that the file has. Arguments: the pool, its column description, and the
 * files to write: the model, and per row its label, score and values, in the order of the pool,
 * tab-separated.
 */
public final class CatBoostPool {
  private static final int TREES = 20;
  private static final int MAX_CATEGORIES = 8;

  private CatBoostPool() {}

  private static Dataset<Row> rows(SparkSession spark, Path pool, List<String> columns)
      throws IOException {
    List<String[]> features = new ArrayList<>();
    for (String column : columns) {
      String[] told = column.split("\t");
      if (told.length == 3) {
        features.add(told);
      }
    }
    Attribute[] attributes = new Attribute[features.size()];
    for (int f = 0; f < attributes.length; f++) {
      String name = features.get(f)[2];
      attributes[f] =
          features.get(f)[1].equals("Categ")
              ? NominalAttribute.defaultAttr().withName(name).withNumValues(MAX_CATEGORIES)
              : NumericAttribute.defaultAttr().withName(name);
    }
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(pool)) {
      String[] cells = line.split("\t", -1);
      double[] values = new double[attributes.length];
      for (int f = 0; f < values.length; f++) {
        String cell = cells[Integer.parseInt(features.get(f)[0])];
        values[f] = cell.isEmpty() ? Double.NaN : Float.parseFloat(cell);
      }
      long group = Long.parseLong(cells[1]);
      rows.add(RowFactory.create(Vectors.dense(values), Double.parseDouble(cells[0]), group));
    }
    return spark.createDataFrame(
        rows,
        new StructType(
            new StructField[] {
              new StructField(
                  "features",
                  SQLDataTypes.VectorType(),
                  false,
                  new AttributeGroup("features", attributes).toMetadata()),
              new StructField("label", DataTypes.DoubleType, false, Metadata.empty()),
              new StructField("groupId", DataTypes.LongType, false, Metadata.empty())
            }));
  }

  /** As the program {@code catboost fit} is told, by its names; any other one is refused. */
  private static void fit(SparkSession spark, Map<String, String> options) throws Exception {
    Path description = Path.of(options.remove("column-description"));
    Pool learn = grouped(spark, options.remove("learn-set"), description);
    String test = options.remove("test-set");
    Pool[] watched = test == null ? new Pool[0] : new Pool[] {grouped(spark, test, description)};
    String model = options.remove("model-file");
    CatBoostRegressor trainer = new CatBoostRegressor();
    trainer.setSparkPartitionCount(1).setMetricPeriod(1);
    for (Map.Entry<String, String> option : options.entrySet()) {
      String value = option.getValue();
      switch (option.getKey()) {
        case "loss-function" -> trainer.setLossFunction(value);
        case "eval-metric" -> trainer.setEvalMetric(value);
        case "iterations" -> trainer.setIterations(Integer.parseInt(value));
        case "depth" -> trainer.setDepth(Integer.parseInt(value));
        case "learning-rate" -> trainer.setLearningRate(Float.parseFloat(value));
        case "random-seed" -> trainer.setRandomSeed(Integer.parseInt(value));
        case "one-hot-max-size" -> trainer.setOneHotMaxSize(Integer.parseInt(value));
        case "thread-count" -> trainer.setThreadCount(Integer.parseInt(value));
        case "train-dir" -> trainer.setTrainDir(value);
        case "use-best-model" -> trainer.setUseBestModel(true);
        case "od-type" -> trainer.setOdType(EOverfittingDetectorType.valueOf(value));
        case "od-wait" -> trainer.setOdWait(Integer.parseInt(value));
        default -> throw new IllegalArgumentException("unknown option '" + option.getKey() + "'");
      }
    }
    ((CatBoostRegressionModel) trainer.fit(learn, watched))
        .saveNativeModel(model, EModelType.CatboostBinary, null, null);
  }

  private static Pool grouped(SparkSession spark, String pool, Path description)
      throws IOException {
    return new Pool(rows(spark, Path.of(pool), Files.readAllLines(description)))
        .setGroupIdCol("groupId");
  }

  /** As {@code catboost calc}, but with all digits. */
  private static void calc(SparkSession spark, Map<String, String> options) throws Exception {
    CatBoostRegressionModel model =
        CatBoostRegressionModel.loadNativeModel(
            options.get("model-path"), EModelType.CatboostBinary);
    Dataset<Row> rows =
        rows(
            spark,
            Path.of(options.get("input-path")),
            Files.readAllLines(Path.of(options.get("column-description"))));
    List<String> lines = new ArrayList<>(List.of("SampleId\tRawFormulaVal"));
    for (Row row : model.transform(rows).collectAsList()) {
      lines.add((lines.size() - 1) + "\t" + row.<Double>getAs("prediction"));
    }
    Files.write(Path.of(options.get("output-path")), lines);
  }

  private static Map<String, String> options(String[] args) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String arg : List.of(args).subList(1, args.length)) {
      String[] option = arg.substring(2).split("=", 2);
      options.put(option[0], option.length == 1 ? "" : option[1]);
    }
    return options;
  }

  public static void main(String[] args) {
    int status = 1;
    try {
      run(args);
      status = 0;
    } catch (Exception e) {
      e.printStackTrace();
    }
    System.exit(status); // CatBoost's threads would go on.
  }

  private static void run(String[] args) throws Exception {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .appName("CatBoostPool")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.network.timeout", "1h")
            .getOrCreate()) {
      if (args[0].equals("fit")) {
        fit(spark, options(args));
        return;
      }
      if (args[0].equals("calc")) {
        calc(spark, options(args));
        return;
      }
      List<String> columns = Files.readAllLines(Path.of(args[1]));
      Pool pool =
          columns.stream().anyMatch(column -> column.contains("\tCateg\t"))
              ? new Pool(rows(spark, Path.of(args[0]), columns))
              : Pool.load(spark, "dsv://" + args[0], Path.of(args[1]), new PoolLoadParams(), null);
      CatBoostRegressor trainer = new CatBoostRegressor();
      trainer.setIterations(TREES).setDepth(4).setRandomSeed(1).setSparkPartitionCount(1);
      trainer.setThreadCount(1);
      CatBoostRegressionModel model =
          (CatBoostRegressionModel) trainer.fit(pool, trainer.fit$default$2());
      model.saveNativeModel(args[2], EModelType.CatboostBinary, null, null);
      List<String> lines = new ArrayList<>();
      for (Row row : model.transform(pool.data()).collectAsList()) {
        StringBuilder line = new StringBuilder(row.<Object>getAs("label").toString());
        line.append('\t').append(row.<Double>getAs("prediction"));
        for (double value : row.<Vector>getAs("features").toArray()) {
          line.append('\t').append(value);
        }
        lines.add(line.toString());
      }
      Files.write(Path.of(args[3]), lines);
    }
  }
}
