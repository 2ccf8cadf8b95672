// SPDX-License-Identifier: Apache-2.0
// The tutorial's requests through a generated client; OpenSearch's own endpoints by fetch.
import createClient from "openapi-fetch";
import type { components, paths } from "./quickscorer.js";

const node = process.argv[2]!;
const name = "typescript-shop";
const client = createClient<paths>({ baseUrl: node });

function check(condition: unknown, what: unknown): asserts condition {
  if (!condition) throw new Error(JSON.stringify(what));
}

async function send(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(node + path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  check(response.ok, text);
  return JSON.parse(text);
}

await send("PUT", `/${name}`, { mappings: { properties: { title: { type: "text" }, popularity: { type: "integer" } } } });
for (let id = 1; id <= 5; id++) {
  await send("PUT", `/${name}/_doc/${id}?refresh=true`, { title: "red shoe", popularity: 10 * id });
}

const set: components["schemas"]["FeatureSet"] = {
  features: [
    { name: "title_match", type: "query", query: { match: { title: "{{keywords}}" } } },
    { name: "popularity", type: "field", field: "popularity" },
    { name: "first_pass", type: "first_pass_score" },
  ],
};
const stored = await client.PUT("/_plugins/_quickscorer/feature_sets/{name}", {
  params: { path: { name }, query: { index: name } },
  body: set,
});
check(stored.data?.warnings.length === 0, stored);

const validation = await client.POST("/_plugins/_quickscorer/feature_sets/{name}/_validate", {
  params: { path: { name } },
  body: { index: name, params: { keywords: "red shoe" }, size: 10 },
});
check(validation.data?.features.length === 3, validation);

for (const [model, weight] of [[`${name}-1`, 1], [`${name}-2`, -1]] as const) {
  const put = await client.PUT("/_plugins/_quickscorer/models/{name}", {
    params: { path: { name: model } },
    body: { feature_set: name, model: JSON.stringify({ title_match: 0.5, popularity: weight }) },
  });
  check(put.data && "result" in put.data && put.data.result === "created", put);
}

const target = (model: string) =>
  client.PUT("/_plugins/_quickscorer/aliases/{name}", { params: { path: { name } }, body: { model } });
const rescore: components["schemas"]["Rescore"] = {
  window_size: 100,
  quickscorer: { model: name, params: { keywords: "red shoe" } },
};
const best = async () =>
  (await send("POST", `/${name}/_search`, { query: { match: { title: "red shoe" } }, size: 1, rescore })).hits.hits[0]._id;
check((await target(`${name}-1`)).data?.acknowledged, "moved");
check((await best()) === "5", "the most popular one");
check((await target(`${name}-2`)).data?.acknowledged, "moved again");
check((await best()) === "1", "the least popular one");
const back = await client.POST("/_plugins/_quickscorer/aliases/{name}/_rollback", { params: { path: { name } } });
check(back.data?.model === `${name}-1`, back);

const importance = await client.GET("/_plugins/_quickscorer/models/{name}/_importance", { params: { path: { name: `${name}-1` } } });
check(importance.data?.features.length === 2, importance);
const stats = await client.GET("/_plugins/_quickscorer/stats");
for (const of of Object.values(stats.data?.nodes ?? {})) {
  check(of.ready && of.rescore.searches >= 2 && of.verify.mismatches === 0, of);
}
check(stats.data, stats);
const comparisons = await client.GET("/_plugins/_quickscorer/comparisons");
check(comparisons.data?.agreement, comparisons);
const absent = await client.GET("/_plugins/_quickscorer/models/{name}", { params: { path: { name: "absent" } } });
check(absent.response.status === 404 && absent.error?.error?.reason.includes("absent"), absent);

await client.DELETE("/_plugins/_quickscorer/aliases/{name}", { params: { path: { name } } });
for (const model of [`${name}-1`, `${name}-2`]) {
  await client.DELETE("/_plugins/_quickscorer/models/{name}", { params: { path: { name: model } } });
}
const deleted = await client.DELETE("/_plugins/_quickscorer/feature_sets/{name}", { params: { path: { name } } });
check(deleted.data?.acknowledged, deleted);
await send("DELETE", `/${name}`);
console.log("done");
