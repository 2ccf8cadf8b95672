// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.testing.Local;
import io.quickscorer.plugin.testing.MarkedModels;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.test.AbstractMultiClustersTestCase;

/** Two clusters in one JVM, both new for each test, with the plugin on all nodes. */
public abstract class TwoClustersTestCase extends AbstractMultiClustersTestCase {
  /** The cluster beside {@link #LOCAL_CLUSTER}. */
  protected static final String OTHER = "other";

  private static final TimeValue TIMEOUT = TimeValue.timeValueSeconds(60);

  @Override
  protected final Collection<String> remoteClusterAlias() {
    return List.of(OTHER);
  }

  @Override
  protected final boolean reuseClusters() {
    return false;
  }

  @Override
  protected final Collection<Class<? extends Plugin>> nodePlugins(String clusterAlias) {
    return List.of(QuickScorerPlugin.class);
  }

  /** Index d: documents 0, 1… whose field p is their number. */
  protected final void createDocuments(String cluster, int documents) {
    client(cluster)
        .admin()
        .indices()
        .prepareCreate("d")
        .setSettings(Settings.builder().put("number_of_shards", 2).put("number_of_replicas", 0))
        .setMapping("p", "type=integer", "t", "type=text")
        .get();
    for (int i = 0; i < documents; i++) {
      client(cluster)
          .prepareIndex("d")
          .setId(Integer.toString(i))
          .setSource("p", i, "t", "x")
          .get();
    }
    client(cluster).admin().indices().prepareRefresh("d").get();
  }

  /** Stores the features of {@link MarkedModels}. */
  protected final void putFeatureSet(String cluster, String name) {
    Local.begin(
            client(cluster),
            FeatureSets.PUT,
            new FeatureSets.Request(
                name,
                false,
                null,
                MediaTypeRegistry.JSON,
                new BytesArray(MarkedModels.FEATURE_SET)))
        .actionGet();
  }

  /** Uploads the model of that mark, bound to feature set f. */
  protected final ModelUploads.Response putModel(String cluster, String name, int mark) {
    return Local.begin(
            client(cluster),
            ModelUploads.PUT,
            new ModelUploads.Request(
                new ModelUploadService.Body(
                    name, "f", null, new BytesArray(MarkedModels.file(mark))),
                Precondition.NONE,
                TIMEOUT))
        .actionGet();
  }

  protected final void putAlias(String cluster, String alias, String model) {
    Local.begin(
            client(cluster), Aliases.PUT, new Aliases.Request(alias, Shares.all(model), TIMEOUT))
        .actionGet();
  }

  /** The body of a search as a node of the cluster reads it. */
  protected final SearchSourceBuilder source(String cluster, String body) throws IOException {
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(
            cluster(cluster)
                .getInstance(NamedXContentRegistry.class, cluster(cluster).getNodeNames()[0]),
            DeprecationHandler.IGNORE_DEPRECATIONS,
            body)) {
      return SearchSourceBuilder.fromXContent(parser);
    }
  }
}
