// Writes src/generated/kubernetes.ts: what the server knows about Kubernetes' own kinds. Run it by hand when
// Kubernetes' version changes, against a real kube-apiserver of that version with default settings:
//
//   tsx --conditions=@operator-path/source scripts/generate-types.ts --kubeconfig <of the real server>
//
// It does not read api/openapi-spec and api/discovery of Kubernetes' sources, because those were written with
// other features enabled: they lack the enums of fields and contain alpha versions. No file contains the
// print columns.
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { type Client, createClient, KubeConfig } from "@operator-path/client";
import { kubernetesVersions } from "@operator-path/tools";

const VERSION = kubernetesVersions.kubernetes;
const OUTPUT = join(import.meta.dirname, "../src/generated/kubernetes.ts");
/** A real server enables no alpha and beta versions by default, so they are not read. */
const STABLE = /^v\d+$/;
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}
interface Definition {
  "x-kubernetes-group-version-kind"?: GroupVersionKind[];
}
interface OpenApiDocument {
  info: unknown;
  paths: Record<string, unknown>;
  components: { schemas: Record<string, Definition>; securitySchemes: unknown };
}
interface ApiResource {
  name: string;
  verbs: string[];
}
interface Group {
  name: string;
  versions: { version: string; resources: ApiResource[] }[];
}

async function get<T>(client: Client, path: string): Promise<T> {
  const { body } = await client.request({ method: "GET", path, headers: { accept: "application/json" } });
  return JSON.parse(Buffer.from(body).toString()) as T;
}

/** Returns the path of a group-version, under the root and under /openapi/v3: `api/v1`, `apis/apps/v1`. */
function pathOf(group: string, version: string): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

/**
 * Reads the groups in the server's own order, which kubectl keeps, each with its stable versions. The
 * preferred version is first.
 */
async function readDiscovery(client: Client): Promise<Group[]> {
  const { groups } = await get<{ groups: Group[] }>(client, "/apis");
  const builtIn = groups.filter(({ name }) => !name.includes(".") || name.endsWith(".k8s.io"));
  const core = { name: "", versions: [{ version: "v1" }] };
  const result: Group[] = [];
  for (const { name, versions } of [core, ...builtIn]) {
    const stable: Group["versions"] = [];
    for (const { version } of versions.filter((entry) => STABLE.test(entry.version))) {
      const { resources } = await get<{ resources: ApiResource[] }>(client, `/${pathOf(name, version)}`);
      stable.push({ version, resources });
    }
    if (stable.length > 0) result.push({ name, versions: stable });
  }
  return result;
}

/** Returns a definition's name without its kind: io.k8s.api.core.v1. Each package has one blob. */
function packageOf(definition: string): string {
  return definition.slice(0, definition.lastIndexOf("."));
}

interface OpenApi {
  packages: Map<string, Record<string, Definition>>;
  documents: Map<string, unknown>;
  /** Name of the definition by group/version and kind. */
  kinds: Record<string, Record<string, string>>;
}

async function readOpenApi(client: Client, groups: Group[]): Promise<OpenApi> {
  const packages: OpenApi["packages"] = new Map();
  const documents: OpenApi["documents"] = new Map();
  const kindsByVersion = new Map<string, Record<string, string>>();
  for (const path of groups.flatMap(({ name, versions }) =>
    versions.map((entry) => pathOf(name, entry.version)),
  )) {
    const document = await get<OpenApiDocument>(client, `/openapi/v3/${path}`);
    // A shared definition (DeleteOptions) lists the kinds of its document. The rest of it is the same in all
    // documents.
    const kinds: Record<string, GroupVersionKind[]> = {};
    for (const [name, definition] of Object.entries(document.components.schemas)) {
      const { "x-kubernetes-group-version-kind": own, ...rest } = definition;
      if (own !== undefined) kinds[name] = own;
      for (const gvk of own ?? []) {
        const key = `${gvk.group}/${gvk.version}`;
        kindsByVersion.set(key, { ...kindsByVersion.get(key), [gvk.kind]: name });
      }
      const blob = packages.get(packageOf(name)) ?? {};
      packages.set(packageOf(name), blob);
      const seen = blob[name];
      if (seen !== undefined && JSON.stringify(seen) !== JSON.stringify(rest)) {
        throw new Error(`${path} defines ${name} otherwise than a document before it`);
      }
      blob[name] = rest;
    }
    documents.set(path, {
      info: document.info,
      paths: document.paths,
      securitySchemes: document.components.securitySchemes,
      definitions: Object.keys(document.components.schemas),
      kinds,
    });
  }
  return { packages, documents, kinds: Object.fromEntries(kindsByVersion) };
}

/** By `group/version/plural`. The core group is empty. */
interface Recorded {
  columns: Record<string, unknown[]>;
  /** The warning in every response of a deprecated resource. */
  warnings: Record<string, string>;
}

async function recordLists(client: Client, groups: Group[]): Promise<Recorded> {
  const recorded: Recorded = { columns: {}, warnings: {} };
  for (const { name, versions } of groups) {
    for (const { version, resources } of versions) {
      for (const { name: plural } of resources.filter(({ verbs }) => verbs.includes("list"))) {
        const path = `/${pathOf(name, version)}/${plural}`;
        const answer = await client.request({ method: "GET", path, headers: { accept: TABLE } });
        const table = JSON.parse(Buffer.from(answer.body).toString()) as { columnDefinitions: unknown[] };
        const key = `${name}/${version}/${plural}`;
        recorded.columns[key] = table.columnDefinitions;
        const warning = /^299 - "(.*)"$/.exec(answer.headers.warning ?? "");
        if (warning?.[1] !== undefined) recorded.warnings[key] = warning[1];
      }
    }
  }
  return recorded;
}

function compress(value: unknown): string {
  const bytes = Buffer.from(JSON.stringify(value));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params }).toString("base64");
}

const { values } = parseArgs({ options: { kubeconfig: { type: "string" } } });
if (values.kubeconfig === undefined)
  throw new Error("--kubeconfig <file> of a real kube-apiserver is needed");
const kubeConfig = new KubeConfig();
kubeConfig.loadFromFile(values.kubeconfig);
const client = createClient(kubeConfig);

const { gitVersion } = await get<{ gitVersion: string }>(client, "/version");
if (gitVersion !== `v${VERSION}`) throw new Error(`the server is ${gitVersion}, v${VERSION} is wanted`);
const groups = await readDiscovery(client);
const { packages, documents, kinds } = await readOpenApi(client, groups);
const { columns, warnings } = await recordLists(client, groups);
const blobs: [string, unknown][] = [
  ["discovery", groups],
  ["kinds", kinds],
  ["columns", columns],
  ["warnings", warnings],
  ...[...packages].sort().map(([name, value]): [string, unknown] => [`definitions/${name}`, value]),
  ...[...documents].sort().map(([name, value]): [string, unknown] => [`document/${name}`, value]),
];
await client.close();
const lines = blobs.map(([name, value]) => `  ${JSON.stringify(name)}:\n    "${compress(value)}",`);
const text = `// Generated by scripts/generate-types.ts. Do not edit.
// Derived from the discovery documents, OpenAPI v3 documents and Tables of kube-apiserver ${VERSION}.
// Copyright The Kubernetes Authors, Apache License 2.0: see README.md beside this file.

export const kubernetesVersion = "${VERSION}";

/** Changes with the data. */
export const digest = "${createHash("sha256").update(lines.join("\n")).digest("hex")}";

/** Name of the blob to its JSON, compressed by brotli, in base64. src/server/types/data.ts reads them. */
export const blobs: Readonly<Record<string, string>> = {
${lines.join("\n")}
};
`;
await writeFile(OUTPUT, text);
process.stderr.write(`${OUTPUT}: ${blobs.length} blobs, ${Buffer.byteLength(text)} bytes\n`);
