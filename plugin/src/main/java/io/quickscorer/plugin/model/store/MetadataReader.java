// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelManifest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.search.fetch.subphase.FetchSourceContext;

/** Reads the metadata of many stored models, page by page, and charges their memory. */
record MetadataReader(GuardedClient client, ModelIndex index, ModelBreaker breaker) {
  /** Number of models whose metadata one request reads. */
  private static final int PAGE = 16;

  /** Reads the metadata of models as {@link ModelStore#metadata} describes. */
  void read(
      List<ModelManifest> manifests, ActionListener<Map<String, Map<String, Object>>> listener) {
    if (manifests.isEmpty() || !index.exists()) {
      listener.onResponse(Map.of());
      return;
    }
    MemoryCharge memory;
    try {
      memory = breaker.reserve(0, "<metadata of models>");
    } catch (CircuitBreakingException e) {
      listener.onFailure(e);
      return;
    }
    Map<String, Map<String, Object>> metadata = new TreeMap<>();
    Sequence.each(
        IntStream.iterate(0, from -> from < manifests.size(), from -> from + PAGE).iterator(),
        (from, next) ->
            page(
                manifests.subList(from, Math.min(from + PAGE, manifests.size())),
                metadata,
                memory,
                next),
        ActionListener.runAfter(ActionListener.map(listener, read -> metadata), memory::close));
  }

  /**
   * Reads the metadata of one page of models. Charges the memory of each document before the
   * document is parsed.
   *
   * @param metadata receives the metadata, by the model's name
   */
  private void page(
      List<ModelManifest> page,
      Map<String, Map<String, Object>> metadata,
      MemoryCharge memory,
      ActionListener<Void> listener) {
    MultiGetRequest request = new MultiGetRequest();
    for (ModelManifest manifest : page) {
      request.add(
          new MultiGetRequest.Item(ModelIndex.NAME, manifest.upload())
              .fetchSourceContext(
                  new FetchSourceContext(
                      true, new String[] {ModelDescription.METADATA}, new String[0])));
    }
    client.multiGet(
        request,
        ActionListener.map(
            listener,
            document -> {
              for (int i = 0; i < page.size(); i++) {
                MultiGetItemResponse item = document.getResponses()[i];
                if (item.isFailed()
                    && !(item.getFailure().getFailure() instanceof IndexNotFoundException)) {
                  throw ModelIndexClient.clear(item.getFailure().getFailure());
                }
                GetResponse response = item.getResponse();
                if (response != null && response.isExists()) {
                  String name = page.get(i).id().name();
                  BytesReference source = response.getSourceAsBytesRef();
                  memory.resize(
                      memory.bytes() + (long) ModelDescription.PARSED_FACTOR * source.length());
                  parse(source).ifPresent(known -> metadata.put(name, known));
                }
              }
              return null;
            }));
  }

  @SuppressWarnings("unchecked") // the source's keys are strings, as in all JSON
  private static Optional<Map<String, Object>> parse(BytesReference source) {
    Map<String, Object> fields;
    try {
      fields = Door.ownMap(XContentType.CBOR, source);
    } catch (RuntimeException e) {
      // The model is left out, because the list must contain the others; its load shows the reason.
      return Optional.empty();
    }
    return fields.get(ModelDescription.METADATA) instanceof Map<?, ?> map
        ? Optional.of((Map<String, Object>) map)
        : Optional.empty();
  }
}
