package io.quickscorer.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Documents of a data file, one after the other. */
interface Rows extends AutoCloseable {
  /**
   * The next document.
   *
   * @return one value per feature of the model, NaN where missing, valid until the next call; null
   *     after the last document
   */
  float @Nullable [] next() throws IOException, Failure;

  @Override
  void close() throws IOException;
}
