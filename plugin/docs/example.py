"""From judged queries to a search that is ranked by a model: the standard library, and LightGBM where it is installed.

    python3 example.py [http://localhost:9200]

With LightGBM installed (pip install lightgbm) it trains LambdaMART; without, a linear model in a few lines of its own. Either way the
model is uploaded with rows and the trainer's own scores of them: the plugin refuses it if it scores otherwise by one bit.

It makes the index python-shop. To run it again, delete that first: curl -X DELETE http://localhost:9200/python-shop
"""

import json
import math
import random
import struct
import sys
import urllib.error
import urllib.request

try:
    import lightgbm
    import numpy
except ImportError:
    lightgbm = None

CLUSTER = (sys.argv[1:] or ["http://localhost:9200"])[0]
BASE = "/_plugins/_quickscorer"
INDEX = "python-shop"
COLOURS = "red blue green black white".split()
KINDS = "shoe boot shirt jacket hat scarf glove belt".split()


def call(method, path, body=None, content_type="application/json"):
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    request = urllib.request.Request(
        CLUSTER + path, text.encode() if text else None, {"Content-Type": content_type}, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as refused:
        sys.exit(f"{method} {path}: {refused.code}, {reason(refused.read().decode())}")
    except urllib.error.URLError as failure:
        sys.exit(f"{CLUSTER} does not answer: {failure.reason}")


def reason(answer):
    """Of an error, which is JSON unless something before OpenSearch sent it."""
    try:
        return json.loads(answer)["error"]["reason"]
    except (ValueError, KeyError, TypeError):
        return answer


def ask(method, path, body=None):
    return json.loads(call(method, path, body))


def index():
    """A shop in which people like what is popular; the judgments say so, the texts do not."""
    chance = random.Random(1)
    lines, grades = [], {}
    for number in range(1000):
        title = chance.choice(COLOURS) + " " + chance.choice(KINDS)
        popularity = chance.randrange(1000)
        lines += [json.dumps({"index": {"_id": str(number)}}), json.dumps({"title": title, "popularity": popularity})]
        grades.setdefault(title, {})[str(number)] = (popularity > 800) + (popularity > 500)
    call("PUT", "/" + INDEX, {"mappings": {"properties": {"title": {"type": "text"}, "popularity": {"type": "integer"}}}})
    call("POST", f"/{INDEX}/_bulk?refresh=true", "\n".join(lines) + "\n", "application/x-ndjson")
    return grades


def put_features():
    ask("PUT", BASE + "/feature_sets/python-shop?index=" + INDEX, {"features": [
        {"name": "title_match", "type": "query", "query": {"match": {"title": "{{keywords}}"}}},
        {"name": "popularity", "type": "field", "field": "popularity", "normalize": ["log1p"]},
        {"name": "first_pass", "type": "first_pass_score"}]})


def single(number):
    """To the nearest float of 32 bits, which is what a feature's value is."""
    return struct.unpack("f", struct.pack("f", number))[0]


def log(grades):
    """The features of each query's hits: names, and per query its rows with their labels; missing is NaN."""
    body = {"index": INDEX, "format": "ndjson", "size": 100, "query": {"match": {"title": "{{keywords}}"}}}
    body["queries"] = [{"qid": number, "params": {"keywords": title}, "labels": grades[title]}
                       for number, title in enumerate(sorted(grades))]
    lines = call("POST", BASE + "/feature_sets/python-shop/_log?max_bytes=64mb", body).splitlines()
    groups = {}
    for line in map(json.loads, lines[1:]):
        row = [math.nan if value is None else single(value) for value in line["features"]]
        groups.setdefault(line["qid"], []).append((row, line["label"]))
    return json.loads(lines[0])["feature_names"], list(groups.values())


def lambdamart(names, groups):
    rows = numpy.array([row for group in groups for row, _ in group])
    data = lightgbm.Dataset(
        rows, [label for group in groups for _, label in group], group=[len(group) for group in groups],
        feature_name=names)
    model = lightgbm.train({"objective": "lambdarank", "num_leaves": 7, "verbosity": -1}, data, 50)
    return model.model_to_string(), rows[:20].tolist(), model.predict(rows[:20], raw_score=True).tolist()


def linear(names, groups):
    """Pairs of one query's documents, the better one first: logistic regression on the difference. The score sums in floats."""
    chance = random.Random(2)
    weights = [0.0] * len(names)
    for _ in range(20000):
        (a, better), (b, worse) = chance.sample(chance.choice(groups), 2)
        if better == worse:
            continue
        sign = 1 if better > worse else -1
        difference = [0 if math.isnan(x - y) else sign * (x - y) for x, y in zip(a, b)]
        step = 0.05 / (1 + math.exp(min(50, sum(w * d for w, d in zip(weights, difference)))))
        weights = [w + step * d for w, d in zip(weights, difference)]
    weights = [single(weight) for weight in weights]
    rows = [row for row, _ in groups[0][:20]]
    expected = []
    for row in rows:
        score = 0.0
        for weight, value in zip(weights, row):
            if not math.isnan(value):
                score = single(score + single(weight * value))
        expected.append(score)
    return json.dumps(dict(zip(names, weights))), rows, expected


def upload(model, rows, expected):
    rows = [[None if math.isnan(value) else value for value in row] for row in rows]
    return ask("PUT", BASE + "/models/python-shop", {
        "model": model, "feature_set": "python-shop", "parity": {"rows": rows, "expected": expected}})


def search(keywords, rescored):
    body = {"query": {"match": {"title": keywords}}, "size": 10}
    if rescored:
        body["rescore"] = {"window_size": 100, "quickscorer": {"model": "python-shop", "params": {"keywords": keywords}}}
    return [hit["_id"] for hit in ask("POST", f"/{INDEX}/_search", body)["hits"]["hits"]]


def ndcg(grades, ids):
    def gain(of):
        return sum((2 ** grade - 1) / math.log2(place + 2) for place, grade in enumerate(of))
    return gain(grades.get(id, 0) for id in ids) / gain(sorted(grades.values(), reverse=True)[:10])


grades = index()
put_features()
names, groups = log(dict(list(grades.items())[::2]))
stored = upload(*(lambdamart if lightgbm else linear)(names, groups))
print("trained by", "LightGBM " + lightgbm.__version__ if lightgbm else "gradient descent on pairs")
print("model", stored["name"], "version", stored["version"], "rows that score alike:", stored["parity"]["rows"])
unseen = [(title, of) for title, of in list(grades.items())[1::2] if any(of.values())]
for rescored in (False, True):
    mean = sum(ndcg(of, search(title, rescored)) for title, of in unseen) / len(unseen)
    print("NDCG@10 of", len(unseen), "other queries,", "rescored:" if rescored else "first pass:", round(mean, 4))
