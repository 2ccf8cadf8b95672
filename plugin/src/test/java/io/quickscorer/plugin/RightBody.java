// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import static io.quickscorer.plugin.testing.QuickScorerHttpTestCase.BASE;

import io.quickscorer.plugin.testing.MarkedModels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaType;

/**
 * A request that is right, to be changed at any place of its body. It needs index [docs], feature
 * set [marked] and models [m1] to [m3] of {@link MarkedModels}.
 *
 * @param json the body, with single quotes for double ones
 */
record RightBody(String method, String path, String json) {
  private static final String OURS = "quickscorer";

  /** One or more of each endpoint that takes a body, of searches and of pipelines. */
  static List<RightBody> all() {
    String clause =
        "'model':'m1','params':{'a':[1,{'b':2}]},'outside_window':'keep_below','budget_ms':1000,"
            + "'on_budget':'error','scope':'global','share_key':'k','score_mode':'replace',"
            + "'first_pass_weight':1,'model_weight':1,'output':'raw','algorithm':'auto','log':true,"
            + "'final':'score + model','min_model_score':-9,'max_rank':5";
    String search =
        "{'size':3,'query':{'match_all':{}},'rescore':{'window_size':9,'quickscorer':{%s}}}";
    String pipeline = "{'request_processors':[{'quickscorer':{%s}}]}";
    return List.of(
        new RightBody("POST", "/docs/_search", search.formatted(clause)),
        new RightBody(
            "POST",
            "/docs/_search",
            search.formatted(
                "'models':['m1','m2'],'shadow_models':['m3'],'interleave':{'seed':1}")),
        new RightBody(
            "POST",
            "/docs/_search",
            search.formatted("'stages':[{'model':'m1','keep':5},{'model':'m2','output':'raw'}]")),
        new RightBody(
            "POST",
            "/docs/_search",
            "{'ext':{'quickscorer':{'params':{'a':[1,{'b':2}]},'share_key':'k'}}}"),
        new RightBody(
            "PUT",
            "/_search/pipeline/p",
            pipeline.formatted(
                clause.replace("'share_key':'k',", "")
                    + ",'window_size':9,'index':['docs'],'share':0.5,"
                    + "'params_from':{'q':{'query_text':['match']},'r':{'path':'query.match.t'}}")),
        new RightBody(
            "PUT",
            "/_search/pipeline/r",
            "{'response_processors':[{'quickscorer':{'model':'m1','scope':'global','window_size':9}}]}"),
        new RightBody(
            "PUT",
            BASE + "feature_sets/fuzzed",
            "{'name':'fuzzed','features':[{'name':'a','type':'field','field':'p','missing':0},"
                + "{'name':'b','type':'query','query':{'match':{'t':'{{q}}'}},'params':['q']},"
                + "{'name':'c','type':'param','param':'x'},"
                + "{'name':'d','type':'first_pass_score'},{'name':'e','type':'expression','expression':'a"
                + " + 1'},"
                + "{'name':'f','type':'term_statistics','field':'t','text':'{{q}}','statistic':'df',"
                + "'aggregate':'max'},"
                + "{'name':'g','type':'script','script':{'source':'1','params':{'a':[1]}}}],"
                + "'default_params':{'q':'x','r':[1,{'s':null}]},"
                + "'include':[{'feature_set':'marked','features':['p']}]}"),
        new RightBody(
            "PUT",
            BASE + "models/m3",
            "{'model':"
                + quoted(MarkedModels.file(3))
                + ",'feature_set':'marked','format':'xgboost_json','output':0,"
                + "'feature_map':{'p':'p'},'feature_ranges':{'p':[0,40]},'categories':{'p':['a']},"
                + "'model_name':'x','bind':'name','parity':{'rows':[[1],[null]],'expected':[3.25,3.25],"
                + "'output':'raw','tolerance_ulp':1}}"),
        new RightBody("PUT", BASE + "aliases/a", "{'model':'m1'}"),
        new RightBody("PUT", BASE + "aliases/a", "{'models':{'m1':1,'m2':2}}"),
        new RightBody(
            "POST",
            BASE + "feature_sets/marked/_validate",
            "{'index':'docs','params':{'a':1},'query':{'match_all':{}},'size':3,'scope':'shard'}"),
        new RightBody(
            "POST",
            BASE + "feature_sets/marked/_log",
            "{'index':'docs','format':'csv','search_type':'query_then_fetch','scope':'shard',"
                + "'query':{'match_all':{}},'size':3,'file':'data','unlabelled':'skip','queries':["
                + "{'qid':1,'query':'{\\\"match_all\\\":{}}','ids':['1'],'labels':{'1':2},"
                + "'params':{'a':1},'size':2}]}"),
        new RightBody(
            "POST",
            BASE + "_import?name=imported",
            "{'found':true,'_source':{'name':'s','featureset':{'name':'s','features':[{'name':'t',"
                + "'params':['k'],'template_language':'mustache','template':{'match':{'t':'{{k}}'}}},"
                + "{'name':'d','params':['k'],'template_language':'derived_expression','template':'t"
                + " * k'}]}}}"),
        new RightBody(
            "POST",
            BASE + "_import",
            "{'exported':'alias','name':'b','models':{'m1':1},'version':'1','other':{'a':[1]}}"),
        new RightBody(
            "POST",
            BASE + "_import",
            "{'exported':'feature_set','name':'c','feature_set':{'features':[{'name':'p','type':"
                + "'field','field':'p'}],'default_params':{}}}"),
        new RightBody(
            "POST",
            BASE + "_import",
            "{'exported':'model','name':'c','version':'1','sha256':'x','bytes':1,'metadata':{"
                + "'feature_set':'s'},'feature_set':{'features':[]},'chunks':['YQ=='],'file':['YQ==']}"));
  }

  private static String quoted(String text) {
    return "'" + text.replace("\"", "\\\"") + "'";
  }

  private Map<String, Object> whole() {
    return XContentHelper.convertToMap(
            new BytesArray(json.replace('\'', '"')), true, (MediaType) XContentType.JSON)
        .v2();
  }

  /** Whether the server parses the body, and the plugin only a part of it. */
  boolean isServers() {
    return json.contains(OURS);
  }

  /** Each value that the plugin reads, by the names and numbers that lead to it. */
  List<List<Object>> places() {
    List<List<Object>> places = new ArrayList<>();
    places(whole(), List.of(), places);
    places.removeIf(place -> isServers() && !place.contains(OURS));
    // The server takes a processor's configuration for an object, unseen.
    places.removeIf(place -> path.startsWith("/_search/") && place.getLast().equals(OURS));
    return places;
  }

  /** The body with another value at a place. */
  Object with(List<Object> place, @Nullable Object value) {
    return Objects.requireNonNull(changed(whole(), place, value));
  }

  private static void places(Object value, List<Object> to, List<List<Object>> places) {
    if (!to.isEmpty()) {
      places.add(to);
    }
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, inner) -> places(inner, longer(to, name), places));
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        places(list.get(i), longer(to, i), places);
      }
    }
  }

  private static List<Object> longer(List<Object> path, Object step) {
    List<Object> longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  private static @Nullable Object changed(
      @Nullable Object value, List<Object> place, @Nullable Object other) {
    if (place.isEmpty()) {
      return other;
    }
    List<Object> rest = place.subList(1, place.size());
    if (value instanceof Map<?, ?> map) {
      Map<Object, @Nullable Object> copy = new LinkedHashMap<>(map);
      copy.put(place.getFirst(), changed(map.get(place.getFirst()), rest, other));
      return copy;
    }
    List<@Nullable Object> copy = new ArrayList<>((List<?>) value);
    int item = (Integer) place.getFirst();
    copy.set(item, changed(copy.get(item), rest, other));
    return copy;
  }
}
