import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { ApiError, type Client, type KubeObject } from "@operator-path/client";
import { type Document, isMap, isPair, LineCounter, type ParsedNode, parseAllDocuments } from "yaml";
import { getJson, type ManifestProblem, nearest } from "./manifest-problem.ts";
import { ruleProblems } from "./rule-problems.ts";

type Manifest = Document.Parsed<ParsedNode>;

interface ServedKind {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/**
 * Reads a file of manifests for a test, and checks them with the cluster's API server, as `kubectl apply
 * --dry-run=server` does. Creates nothing. What the server rejects because of the cluster's other objects, such
 * as a missing namespace, is not checked.
 *
 * @returns the objects, in their order
 * @throws Error with a line for each mistake, which begins with file and line: invalid YAML, an unknown kind or
 * field, a value of the wrong type, and a rule of a role for a resource that the cluster does not have
 */
export async function loadManifests(client: Client, file: string): Promise<KubeObject[]> {
  const text = await readFile(file, "utf8");
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false }) as Manifest[];
  const shown = relative(process.cwd(), file);
  for (const { errors } of documents) {
    const [error] = errors;
    if (!error) continue;
    const { line, col } = lineCounter.linePos(error.pos[0]);
    const wrong = text.split(/\r?\n/)[line - 1] ?? "";
    throw new Error(`${shown}:${line}:${col}: invalid YAML: ${error.message}\n  ${line} | ${wrong}`);
  }
  const problems: string[] = [];
  const objects: KubeObject[] = [];
  for (const document of documents) {
    const object = document.toJS({ maxAliasCount: 100 }) as KubeObject | null;
    if (object === null) continue;
    objects.push(object);
    const lineOf = (path: readonly (string | number)[]): number =>
      lineCounter.linePos(offsetOf(document, path)).line;
    for (const { path, message } of await objectProblems(client, object))
      problems.push(`${shown}:${lineOf(path)}: ${message}`);
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return objects;
}

/** Returns where the innermost known part of a path begins: for a field, its key. */
function offsetOf(document: Manifest, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent: unknown =
      length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const pair = isMap(parent)
      ? parent.items.find((item) => isPair(item) && String(item.key) === String(last))
      : undefined;
    const node: unknown = pair?.key ?? document.getIn(path.slice(0, length), true);
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

async function objectProblems(client: Client, object: KubeObject): Promise<ManifestProblem[]> {
  const { apiVersion = "", kind = "", metadata } = object;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const served = await servedKinds(client, root);
  if (!served)
    return [{ path: ["apiVersion"], message: `the cluster does not serve apiVersion ${apiVersion}` }];
  const type = served.find((one) => one.kind === kind);
  if (!type) return [unknownKind(apiVersion, kind, served)];
  const folder = type.namespaced ? `${root}/namespaces/${metadata?.namespace ?? "default"}` : root;
  try {
    await client.request({
      method: "POST",
      path: `${folder}/${type.name}`,
      query: { dryRun: "All", fieldValidation: "Strict" },
      body: object,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const unknown = [...error.message.matchAll(/unknown field "([^"]+)"/g)];
    if (unknown.length > 0)
      return Promise.all(unknown.map(([, field = ""]) => unknownField(client, root, object, field)));
    if (error.code === 400) return [{ path: [], message: error.message }];
  }
  return /^(?:Cluster)?Role$/.test(kind) ? ruleProblems(client, object) : [];
}

/** Returns the kinds that have objects. Undefined if the cluster does not serve the version. */
async function servedKinds(client: Client, root: string): Promise<ServedKind[] | undefined> {
  try {
    const { resources } = await getJson<{ resources: ServedKind[] }>(client, root);
    return resources.filter(({ name }) => !name.includes("/"));
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}

function unknownKind(apiVersion: string, kind: string, served: readonly ServedKind[]): ManifestProblem {
  const kinds = served.map((one) => one.kind);
  const near = nearest(kind, kinds);
  const meant = near === undefined ? `the kinds are ${kinds.join(", ")}` : `did you mean ${near}?`;
  const why = near?.toLowerCase() === kind.toLowerCase() ? " Names of kinds are case-sensitive." : "";
  return { path: ["kind"], message: `${apiVersion} has no kind ${kind}: ${meant}${why}` };
}

/** @param field as the server names it: `spec.containers[0].image` */
async function unknownField(
  client: Client,
  root: string,
  { kind = "" }: KubeObject,
  field: string,
): Promise<ManifestProblem> {
  const path = [...field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index));
  const name = String(path.at(-1));
  const parents = path.slice(0, -1);
  const near = nearest(name, await fieldsAt(client, root, kind, parents));
  const keys = parents.filter((part) => typeof part === "string");
  const explained = [kind.toLowerCase(), ...keys].join(".");
  const hint =
    near === undefined ? `\`kubectl explain ${explained}\` lists its fields` : `did you mean ${near}?`;
  const within = field.slice(0, -name.length - 1);
  return { path, message: `unknown field "${name}"${within && ` in ${within}`}: ${hint}` };
}

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly "x-kubernetes-group-version-kind"?: readonly { readonly kind: string }[];
}

/** Returns the fields of an object that the server's OpenAPI document describes. */
async function fieldsAt(
  client: Client,
  root: string,
  kind: string,
  path: readonly (string | number)[],
): Promise<string[]> {
  const { components } = await getJson<{ components: { schemas: Record<string, Schema> } }>(
    client,
    `/openapi/v3${root}`,
  );
  const resolved = (schema: Schema | undefined): Schema | undefined => {
    const reference = schema?.$ref ?? schema?.allOf?.[0]?.$ref;
    return reference === undefined ? schema : components.schemas[reference.split("/").at(-1) ?? ""];
  };
  let schema = Object.values(components.schemas).find((one) =>
    one["x-kubernetes-group-version-kind"]?.some((type) => type.kind === kind),
  );
  for (const part of path) {
    const { properties = {}, additionalProperties, items } = schema ?? {};
    const more = typeof additionalProperties === "object" ? additionalProperties : undefined;
    schema = resolved(typeof part === "number" ? items : (properties[part] ?? more));
  }
  return Object.keys(schema?.properties ?? {});
}
