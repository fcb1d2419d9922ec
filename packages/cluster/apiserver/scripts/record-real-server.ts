// Writes what a real kube-apiserver returns for the objects of src/server/table/recorded/objects.yaml, for
// tests to compare with: Tables, discovery documents and OpenAPI documents (as <part>/generated/*.json). Run
// it by hand when Kubernetes' version or objects.yaml changes. It needs a real kube-apiserver without
// controllers, because they would change the statuses. It leaves its objects there:
//
//   tsx --conditions=@operator-path/source scripts/record-real-server.ts --kubeconfig <of the real server>
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Client, createClient, isNotFound, KubeConfig } from "@operator-path/client";
import { loadAll } from "js-yaml";
import type { CustomResourceDefinition } from "../src/apiextensions/custom-resource-definition.ts";
import { addCustomResource } from "../src/apiextensions/custom-types.ts";
import type { ApiObject } from "../src/lib/json/json.ts";
import { createServedTypes } from "../src/served-kinds.ts";
import type { RecordedTable } from "../src/server/table/recorded/recorded.ts";
import type { Table } from "../src/server/table/table.ts";
import type { TypeRegistry } from "../src/server/types/registry.ts";
import { groupVersion, type ResourceType } from "../src/server/types/resource-type.ts";

const SOURCES = join(import.meta.dirname, "../src");
const NAMESPACE = "recorded-tables";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
/** Ages in seconds at which the format of durations changes, and some between. */
const AGES = [
  ...[
    -DAY,
    -30,
    -3,
    -2,
    -1,
    1,
    59,
    60,
    61,
    119,
    120,
    121,
    150,
    180,
    599,
    600,
    601,
    659,
    660,
    3599,
    3600,
    3661,
  ],
  ...[
    3 * HOUR - 1,
    3 * HOUR,
    3 * HOUR + 59,
    3 * HOUR + MINUTE,
    5 * HOUR + 30 * MINUTE,
    8 * HOUR - 1,
    8 * HOUR,
  ],
  ...[
    8 * HOUR + 30 * MINUTE,
    30 * HOUR,
    2 * DAY - 1,
    2 * DAY,
    2 * DAY + HOUR,
    5 * DAY + 4 * HOUR,
    8 * DAY - 1,
    8 * DAY,
  ],
  ...[
    9 * DAY + 3 * HOUR,
    200 * DAY,
    2 * YEAR - 1,
    2 * YEAR,
    2 * YEAR + DAY,
    3 * YEAR + 20 * DAY,
    8 * YEAR - 1,
    8 * YEAR,
  ],
  ...[8 * YEAR + 100 * DAY, 25 * YEAR],
];

interface OpenApiDocument {
  components: { schemas: Record<string, unknown> };
}

interface Sample extends ApiObject {
  delete?: boolean;
}

/** The whole second in which the Tables are recorded: late enough to create everything before. */
const moment = (Math.floor(Date.now() / 1000) + 20) * 1000;

function ago(seconds: number): string {
  return new Date(moment - seconds * 1000).toISOString().replace(".000Z", "Z");
}

async function readSamples(): Promise<Sample[]> {
  const text = await readFile(join(SOURCES, "server/table/recorded/objects.yaml"), "utf8");
  const timed = text.replaceAll(/\{\{ago (\d+)( micro)?\}\}/g, (_, seconds: string, micro?: string) => {
    return micro === undefined ? ago(Number(seconds)) : ago(Number(seconds)).replace("Z", ".000000Z");
  });
  const samples = loadAll(timed) as Sample[];
  const events = AGES.map((seconds): Sample => {
    return {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: `age-${seconds}`.replace("--", "-minus-") },
      involvedObject: { kind: "Pod", name: "a", namespace: NAMESPACE },
      reason: "Age",
      firstTimestamp: ago(seconds),
      lastTimestamp: ago(seconds),
    };
  });
  return [...samples, ...events];
}

function typeOf(sample: ApiObject, registry: TypeRegistry): ResourceType {
  const type = registry.resources().find((entry) => {
    return (
      groupVersion(entry) === sample.apiVersion && entry.kind === sample.kind && entry.verbs.includes("list")
    );
  });
  if (type === undefined) throw new Error(`${sample.apiVersion} ${sample.kind} is not served`);
  return type;
}

function pathOf(type: ResourceType): string {
  const root = type.group === "" ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  return `${root}/${type.namespaced ? `namespaces/${NAMESPACE}/` : ""}${type.plural}`;
}

async function send<T>(client: Client, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await client.request({ method, path, body, headers: { accept: "application/json" } });
  return JSON.parse(Buffer.from(answer.body).toString()) as T;
}

/** Retries until a new definition is served, because its paths are unknown for a moment. */
async function whenServed<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 50; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isNotFound(error) || left === 0) throw error;
      await setTimeout(200);
    }
  }
}

async function createSample(client: Client, registry: TypeRegistry, sample: Sample): Promise<ResourceType> {
  const type = typeOf(sample, registry);
  const { delete: deleted, status, ...object } = sample;
  const metadata = { ...object.metadata, ...(type.namespaced ? { namespace: NAMESPACE } : {}) };
  const created = await whenServed(() => {
    return send<ApiObject>(client, "POST", pathOf(type), { ...object, metadata });
  });
  const path = `${pathOf(type)}/${created.metadata.name}`;
  if (type.plural === "customresourcedefinitions") {
    addCustomResource(registry, created as unknown as CustomResourceDefinition);
  }
  if (status !== undefined) await send(client, "PUT", `${path}/status`, { ...created, status });
  if (deleted === true) await send(client, "DELETE", path);
  return type;
}

/** Records all Tables within one second, so that every age is exactly what objects.yaml says. */
async function recordTables(client: Client, types: Iterable<ResourceType>): Promise<RecordedTable[]> {
  if (Date.now() > moment) throw new Error("this took too long: set the moment of recording later");
  await setTimeout(moment + 20 - Date.now());
  const tables: RecordedTable[] = [];
  for (const type of types) {
    const query = { includeObject: "Object" };
    const call = { method: "GET", path: pathOf(type), query, headers: { accept: TABLE } };
    const table = JSON.parse(Buffer.from((await client.request(call)).body).toString()) as Table;
    for (const { object } of table.rows) delete object?.metadata.managedFields;
    // The server was asked a little later, and for ages below zero a fraction of a second counts.
    tables.push({ group: type.group, version: type.version, plural: type.plural, now: moment + 20, table });
  }
  if (Date.now() >= moment + 1000) throw new Error("recording took more than a second: try again");
  return tables;
}

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Returns discovery documents by `path accept`. */
async function recordDiscovery(client: Client): Promise<Record<string, unknown>> {
  const plain = [
    "/api/v1",
    "/apis",
    "/apis/apps",
    "/apis/apps/v1",
    "/apis/events.k8s.io/v1",
    "/apis/forge.example.com",
  ];
  const requests = [
    ...[...plain, "/apis/forge.example.com/v1", "/apis/forge.example.com/v1alpha1"].map((path) => [
      path,
      "application/json",
    ]),
    ...["/api", "/apis"].map((path) => [path, AGGREGATED]),
  ];
  const documents: Record<string, unknown> = {};
  for (const [path = "", accept = ""] of requests) {
    const answer = await client.request({ method: "GET", path, headers: { accept } });
    documents[`${path} ${accept}`] = JSON.parse(Buffer.from(answer.body).toString());
  }
  return documents;
}

/**
 * Returns OpenAPI documents by path, without the definitions of Kubernetes' own kinds, which are in the type
 * data.
 */
async function recordOpenApi(client: Client): Promise<Record<string, unknown>> {
  const documents: Record<string, unknown> = {};
  for (const path of [
    "/openapi/v3/apis/forge.example.com/v1",
    "/openapi/v3/apis/forge.example.com/v1alpha1",
  ]) {
    const document = await whenServed(() => send<OpenApiDocument>(client, "GET", path));
    const { schemas } = document.components;
    const names = Object.keys(schemas).filter((name) => name.startsWith("io.k8s."));
    for (const name of names) delete schemas[name];
    documents[path] = { ...document, builtIn: names };
  }
  return documents;
}

function formatMembers(documents: Record<string, unknown>): string {
  const lines = Object.entries(documents).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** Formats the Tables as JSON with one row per line, so that differences are readable. */
function formatTables(tables: RecordedTable[]): string {
  const parts = tables.map(({ table: { rows, ...table }, ...rest }) => {
    const lines = rows.map((row) => `\n${JSON.stringify(row)}`).join(",");
    const [head, tail] = JSON.stringify({ ...rest, table: { ...table, rows: ["ROWS"] } }).split('"ROWS"');
    return `${head}${lines}${tail}`;
  });
  return `[${parts.join(",\n")}]\n`;
}

const { values } = parseArgs({ options: { kubeconfig: { type: "string" } } });
if (values.kubeconfig === undefined)
  throw new Error("--kubeconfig <file> of a real kube-apiserver is needed");
const kubeConfig = new KubeConfig();
kubeConfig.loadFromFile(values.kubeconfig);
const client = createClient(kubeConfig);
const registry = createServedTypes();

await send(client, "POST", "/api/v1/namespaces", { metadata: { name: NAMESPACE } });
await send(client, "POST", `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, {
  metadata: { name: "default" },
});
const types = new Set<ResourceType>();
const failures: string[] = [];
for (const sample of await readSamples()) {
  try {
    types.add(await createSample(client, registry, sample));
  } catch (error) {
    failures.push(`${sample.kind} ${sample.metadata.name}: ${error}`);
  }
}
if (failures.length > 0) throw new Error(`refused by the server:\n${failures.join("\n")}`);
const second = (plural: string): ResourceType[] =>
  registry.resources().filter((type) => type.plural === plural);
const wanted = new Set([...types, ...second("events"), ...second("gadgets")]);
const tables = await recordTables(client, wanted);
await writeFile(join(SOURCES, "server/table/generated/tables.json"), formatTables(tables));
await writeFile(
  join(SOURCES, "server/discovery/generated/documents.json"),
  formatMembers(await recordDiscovery(client)),
);
await writeFile(
  join(SOURCES, "server/openapi/generated/documents.json"),
  formatMembers(await recordOpenApi(client)),
);
process.stderr.write(
  `${tables.length} tables, ${tables.reduce((sum, { table }) => sum + table.rows.length, 0)} rows\n`,
);
await client.close();
