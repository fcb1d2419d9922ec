// Writes src/generated/kubernetes.ts: what the server knows about Kubernetes' own kinds. Run by hand, when
// Kubernetes' version changes, with Go on the PATH and a real kube-apiserver of that version running:
//
//   tsx --conditions=@operator-path/source scripts/generate-types.ts --kubeconfig <of the real server>
//
// Schemas, paths and discovery come from the Go module k8s.io/kubernetes (api/openapi-spec/v3, api/discovery);
// print columns are in no file of it, so they are recorded from the Tables of the real server.
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { KubeConfig } from "@operator-path/client";

const VERSION = "1.36.3";
const MODULE = `k8s.io/kubernetes@v${VERSION}`;
const OUTPUT = join(import.meta.dirname, "../src/generated/kubernetes.ts");
/** Alpha and beta versions are off in a real server unless asked for, and are left out here. */
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
  namespaced: boolean;
  verbs: string[];
}
interface ApiResourceList {
  groupVersion: string;
  resources: ApiResource[];
}
interface Group {
  name: string;
  versions: { version: string; resources: ApiResource[] }[];
}
interface Table {
  columnDefinitions: unknown[];
}

async function moduleDirectory(): Promise<string> {
  const { stdout } = await promisify(execFile)("go", ["mod", "download", "-json", MODULE]);
  const { Dir } = JSON.parse(stdout) as { Dir?: string };
  if (Dir === undefined) throw new Error(`go mod download ${MODULE} named no directory: ${stdout}`);
  return Dir;
}

async function readJson<T>(...path: string[]): Promise<T> {
  return JSON.parse(await readFile(join(...path), "utf8")) as T;
}

/** Groups in the server's own order (which kubectl keeps), each with its stable versions, the preferred one first. */
async function readDiscovery(directory: string): Promise<Group[]> {
  const { groups } = await readJson<{ groups: { name: string; versions: { version: string }[] }[] }>(
    directory,
    "apis.json",
  );
  const result: Group[] = [
    {
      name: "",
      versions: [
        {
          version: "v1",
          resources: (await readJson<ApiResourceList>(directory, "api__v1.json")).resources,
        },
      ],
    },
  ];
  for (const group of groups) {
    const versions: Group["versions"] = [];
    for (const { version } of group.versions) {
      if (!STABLE.test(version)) continue;
      const file = `apis__${group.name}__${version}.json`;
      versions.push({
        version,
        resources: (await readJson<ApiResourceList>(directory, file)).resources,
      });
    }
    if (versions.length > 0) result.push({ name: group.name, versions });
  }
  return result;
}

/** The part of a definition's name before its kind: io.k8s.api.core.v1. Definitions are kept in one blob for each. */
function packageOf(definition: string): string {
  return definition.slice(0, definition.lastIndexOf("."));
}

interface OpenApi {
  packages: Map<string, Record<string, Definition>>;
  documents: Map<string, unknown>;
  /** group/version → kind → name of its definition. */
  kinds: Record<string, Record<string, string>>;
}

async function readOpenApi(directory: string, groups: Group[]): Promise<OpenApi> {
  const packages: OpenApi["packages"] = new Map();
  const documents: OpenApi["documents"] = new Map();
  const kindsByVersion = new Map<string, Record<string, string>>();
  const files = new Set(await readdir(directory));
  for (const group of groups) {
    for (const { version } of group.versions) {
      const path = group.name === "" ? `api/${version}` : `apis/${group.name}/${version}`;
      const file = `${path.replaceAll("/", "__")}_openapi.json`;
      if (!files.has(file)) throw new Error(`${directory} has no ${file}`);
      const document = await readJson<OpenApiDocument>(directory, file);
      // A shared definition (DeleteOptions) lists the kinds of the document that it is in; the rest of it is the same everywhere.
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
          throw new Error(`${file} defines ${name} otherwise than a document before it`);
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
  }
  return { packages, documents, kinds: Object.fromEntries(kindsByVersion) };
}

function get(kubeConfig: KubeConfig, path: string, accept: string): Promise<string> {
  const server = kubeConfig.getCurrentCluster()?.server;
  if (server === undefined) throw new Error("the kubeconfig has no current cluster");
  return new Promise((resolve, reject) => {
    const options = { headers: { accept } };
    kubeConfig.applyToHTTPSOptions(options).then(() => {
      const call = request(`${server}${path}`, options, async (response) => {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) text += chunk;
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`GET ${path}: ${response.statusCode} ${text}`));
      });
      call.on("error", reject).end();
    }, reject);
  });
}

/** columnDefinitions by `group/version/plural`; group is empty for the core. */
async function recordColumns(kubeConfig: KubeConfig, groups: Group[]): Promise<Record<string, unknown[]>> {
  const { gitVersion } = JSON.parse(await get(kubeConfig, "/version", "application/json")) as {
    gitVersion: string;
  };
  if (gitVersion !== `v${VERSION}`)
    throw new Error(`the server is ${gitVersion}, columns of v${VERSION} are wanted`);
  const columns: Record<string, unknown[]> = {};
  for (const group of groups) {
    for (const { version, resources } of group.versions) {
      const root = group.name === "" ? `/api/${version}` : `/apis/${group.name}/${version}`;
      for (const resource of resources) {
        if (resource.name.includes("/") || !resource.verbs.includes("list")) continue;
        const text = await get(kubeConfig, `${root}/${resource.name}?limit=1`, TABLE);
        const table = JSON.parse(text) as Table;
        columns[`${group.name}/${version}/${resource.name}`] = table.columnDefinitions;
      }
    }
  }
  return columns;
}

/** The module's files are written with every feature on; what a server in its default settings serves is the measure. */
async function keepServed(kubeConfig: KubeConfig, groups: Group[]): Promise<void> {
  for (const group of groups) {
    for (const entry of group.versions) {
      const path = group.name === "" ? `/api/${entry.version}` : `/apis/${group.name}/${entry.version}`;
      const text = await get(kubeConfig, path, "application/json");
      const served = new Set((JSON.parse(text) as ApiResourceList).resources.map(({ name }) => name));
      const dropped = entry.resources.filter(({ name }) => !served.has(name)).map(({ name }) => name);
      if (dropped.length > 0) process.stderr.write(`${path}: not served by default, left out: ${dropped}\n`);
      entry.resources = entry.resources.filter(({ name }) => served.has(name));
    }
  }
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

const directory = await moduleDirectory();
const groups = await readDiscovery(join(directory, "api/discovery"));
await keepServed(kubeConfig, groups);
const { packages, documents, kinds } = await readOpenApi(join(directory, "api/openapi-spec/v3"), groups);
const blobs: [string, unknown][] = [
  ["discovery", groups],
  ["kinds", kinds],
  ["columns", await recordColumns(kubeConfig, groups)],
  ...[...packages].sort().map(([name, value]): [string, unknown] => [`definitions/${name}`, value]),
  ...[...documents].sort().map(([name, value]): [string, unknown] => [`document/${name}`, value]),
];
const lines = blobs.map(([name, value]) => `  ${JSON.stringify(name)}:\n    "${compress(value)}",`);
const text = `// Generated by scripts/generate-types.ts. Do not edit.
// Derived from Kubernetes ${VERSION} (Go module ${MODULE}: api/openapi-spec/v3, api/discovery; columns from the
// Tables of kube-apiserver ${VERSION}). Copyright The Kubernetes Authors, Apache License 2.0: see README.md beside this file.

export const kubernetesVersion = "${VERSION}";

/** Name of the blob to its JSON, compressed by brotli, in base64. src/types/data.ts reads them. */
export const blobs: Readonly<Record<string, string>> = {
${lines.join("\n")}
};
`;
await writeFile(OUTPUT, text);
process.stderr.write(`${OUTPUT}: ${blobs.length} blobs, ${Buffer.byteLength(text)} bytes\n`);
