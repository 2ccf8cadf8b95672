// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/**
 * Each type of JSON at each place of each structure that the plugin reads: an answer below 500, and
 * where it is a refusal, one that names the place.
 */
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class JsonTypesTests extends QuickScorerHttpTestCase {
  private static final List<@Nullable Object> VALUES =
      Arrays.asList(
          null,
          5,
          -1,
          0.5,
          1e300,
          Long.MAX_VALUE,
          "x",
          "",
          true,
          List.of(),
          Map.of(),
          List.of(1, "a", Map.of()),
          Map.of("a", List.of(1)),
          Collections.singletonMap("b", null));

  private record Body(String method, String path, String json) {}

  private static List<Body> bodies() {
    String clause =
        "'model':'m1','params':{'a':[1,{'b':2}]},'outside_window':'keep_below','budget_ms':1000,"
            + "'on_budget':'error','scope':'global','share_key':'k','score_mode':'replace',"
            + "'first_pass_weight':1,'model_weight':1,'output':'raw','algorithm':'auto','log':true,"
            + "'final':'score + model','min_model_score':-9,'max_rank':5";
    String search =
        "{'size':3,'query':{'match_all':{}},'rescore':{'window_size':9,'quickscorer':{%s}}}";
    String pipeline = "{'request_processors':[{'quickscorer':{%s}}]}";
    return List.of(
        new Body("POST", "/docs/_search", search.formatted(clause)),
        new Body(
            "POST",
            "/docs/_search",
            search.formatted(
                "'models':['m1','m2'],'shadow_models':['m3'],'interleave':{'seed':1}")),
        new Body(
            "POST",
            "/docs/_search",
            search.formatted("'stages':[{'model':'m1','keep':5},{'model':'m2','output':'raw'}]")),
        new Body(
            "POST",
            "/docs/_search",
            "{'ext':{'quickscorer':{'params':{'a':[1,{'b':2}]},'share_key':'k'}}}"),
        new Body(
            "PUT",
            "/_search/pipeline/p",
            pipeline.formatted(
                clause.replace("'share_key':'k',", "")
                    + ",'window_size':9,'index':['docs'],'share':0.5,"
                    + "'params_from':{'q':{'query_text':['match']},'r':{'path':'query.match.t'}}")),
        new Body(
            "PUT",
            "/_search/pipeline/r",
            "{'response_processors':[{'quickscorer':{'model':'m1','scope':'global','window_size':9}}]}"),
        new Body(
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
        new Body(
            "PUT",
            BASE + "models/m3",
            "{'model':"
                + quoted(MarkedModels.file(3))
                + ",'feature_set':'marked','format':'xgboost_json','output':0,"
                + "'feature_map':{'p':'p'},'feature_ranges':{'p':[0,40]},'categories':{'p':['a']},"
                + "'model_name':'x','bind':'name','parity':{'rows':[[1],[null]],'expected':[3.25,3.25],"
                + "'output':'raw','tolerance_ulp':1}}"),
        new Body("PUT", BASE + "aliases/a", "{'model':'m1'}"),
        new Body("PUT", BASE + "aliases/a", "{'models':{'m1':1,'m2':2}}"),
        new Body(
            "POST",
            BASE + "feature_sets/marked/_validate",
            "{'index':'docs','params':{'a':1},'query':{'match_all':{}},'size':3,'scope':'shard'}"),
        new Body(
            "POST",
            BASE + "feature_sets/marked/_log",
            "{'index':'docs','format':'csv','search_type':'query_then_fetch','scope':'shard',"
                + "'query':{'match_all':{}},'size':3,'file':'data','unlabelled':'skip','queries':["
                + "{'qid':1,'query':'{\\\"match_all\\\":{}}','ids':['1'],'labels':{'1':2},"
                + "'params':{'a':1},'size':2}]}"),
        new Body(
            "POST",
            BASE + "_import?name=imported",
            "{'found':true,'_source':{'name':'s','featureset':{'name':'s','features':[{'name':'t',"
                + "'params':['k'],'template_language':'mustache','template':{'match':{'t':'{{k}}'}}},"
                + "{'name':'d','params':['k'],'template_language':'derived_expression','template':'t"
                + " * k'}]}}}"),
        new Body(
            "POST",
            BASE + "_import",
            "{'exported':'alias','name':'b','models':{'m1':1},'version':'1','other':{'a':[1]}}"),
        new Body(
            "POST",
            BASE + "_import",
            "{'exported':'feature_set','name':'c','feature_set':{'features':[{'name':'p','type':"
                + "'field','field':'p'}],'default_params':{}}}"),
        new Body(
            "POST",
            BASE + "_import",
            "{'exported':'model','name':'c','version':'1','sha256':'x','bytes':1,'metadata':{"
                + "'feature_set':'s'},'feature_set':{'features':[]},'chunks':['YQ=='],'file':['YQ==']}"));
  }

  private static String quoted(String text) {
    return "'" + text.replace("\"", "\\\"") + "'";
  }

  /** A value of a structure, by the names and numbers that lead to it. */
  private static void places(Object value, List<Object> to, List<List<Object>> places) {
    if (!to.isEmpty()) {
      places.add(to);
    }
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, inner) -> places(inner, with(to, name), places));
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        places(list.get(i), with(to, i), places);
      }
    }
  }

  private static List<Object> with(List<Object> path, Object step) {
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

  private void ok(String method, String path, String body) throws Exception {
    Answer answer = send(method, path, body);
    assertTrue(answer.body(), answer.status() < 300);
  }

  /** Of a value of the wrong type; what is wrong otherwise names the fields that it is about. */
  private static boolean namesThePlace(String answer, List<Object> place) {
    return !answer.contains(", not ")
        || place.stream().anyMatch(step -> step instanceof String name && answer.contains(name));
  }

  public void testEachTypeAtEachPlace() throws Exception {
    MarkedModels.createIndex(this::ok, "docs", 1, 20);
    ok("PUT", BASE + "feature_sets/marked", MarkedModels.FEATURE_SET);
    for (int mark = 1; mark <= 3; mark++) {
      ok("PUT", BASE + "models/m" + mark + "?feature_set=marked", MarkedModels.file(mark));
    }
    List<String> failures = new ArrayList<>();
    for (Body body : bodies()) {
      Map<String, Object> whole =
          XContentHelper.convertToMap(
                  new BytesArray(body.json.replace('\'', '"')), true, (MediaType) XContentType.JSON)
              .v2();
      List<List<Object>> places = new ArrayList<>();
      places(whole, List.of(), places);
      // What stands around is the server's.
      String ours = "quickscorer";
      places.removeIf(place -> body.json.contains(ours) && !place.contains(ours));
      // The server takes a processor's configuration for an object, unseen.
      places.removeIf(place -> body.path.startsWith("/_search/") && place.getLast().equals(ours));
      for (List<Object> place : places) {
        for (Object value : VALUES) {
          String json =
              XContentFactory.jsonBuilder().value(changed(whole, place, value)).toString();
          Answer answer = send(body.method, body.path, json);
          boolean refused = answer.status() >= 400;
          if (answer.status() >= 500
              || (refused && !namesThePlace(answer.body(), place))
              || answer.body().contains("NullPointer")
              || answer.body().contains("class_cast")) {
            failures.add(
                body.method
                    + " "
                    + body.path
                    + " "
                    + json
                    + "\n  "
                    + answer.status()
                    + " "
                    + answer.body());
          }
        }
      }
    }
    assertEquals(String.join("\n", failures), 0, failures.size());
    for (String kind : List.of("models", "aliases", "feature_sets")) {
      for (Object each : (List<?>) send("GET", BASE + kind).at(kind)) {
        if (!kind.equals("models")) {
          send("DELETE", BASE + kind + "/" + ((Map<?, ?>) each).get("name"));
        }
      }
    }
    for (int mark = 1; mark <= 3; mark++) {
      send("DELETE", BASE + "models/m" + mark);
    }
    send("DELETE", "/_search/pipeline/p");
    send("DELETE", "/_search/pipeline/r");
  }
}
