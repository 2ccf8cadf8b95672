// SPDX-License-Identifier: Apache-2.0
import ai.catboost.spark.CatBoostRegressionModel;
import ai.catboost.spark.CatBoostRegressor;
import ai.catboost.spark.Pool;
import ai.catboost.spark.params.PoolLoadParams;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import ru.yandex.catboost.spark.catboost4j_spark.core.src.native_impl.EModelType;

/**
 * CatBoost itself reads a pool, trains on it and scores its rows. Arguments: the pool, its column
 * description, and the files to write: the model, and per row its label, score and values, in the
 * order of the pool, tab-separated.
 */
public final class CatBoostPool {
  private static final int TREES = 20;

  private CatBoostPool() {}

  public static void main(String[] args) throws Exception {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .appName("CatBoostPool")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.network.timeout", "1h")
            .getOrCreate()) {
      Pool pool =
          Pool.load(spark, "dsv://" + args[0], Path.of(args[1]), new PoolLoadParams(), null);
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
    System.exit(0); // CatBoost's threads would go on.
  }
}
