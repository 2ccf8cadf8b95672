// Sends one search through the JavaScript client and prints the answer's body.
// Arguments: the node's address, the index, the search type; the search's body comes on standard input.
import { readFileSync } from "node:fs";
import { Client } from "@opensearch-project/opensearch";

const [node, index, searchType] = process.argv.slice(2);
const client = new Client({ node });
const response = await client.search({
  index,
  search_type: searchType,
  body: JSON.parse(readFileSync(0, "utf8")),
});
console.log(JSON.stringify(response.body));
await client.close();
