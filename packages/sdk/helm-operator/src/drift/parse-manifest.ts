import type { KubeObject } from "@operator-path/client";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { parseYamlDocuments, YamlError } from "../yaml/parse-yaml.ts";
import { documentsOf } from "./manifest-documents.ts";

/** An object of a release's manifest. */
export interface ManifestObject {
  readonly object: KubeObject;
  /** The file that it was rendered from, as helm names it: `memcached/templates/service.yaml`. "" where it does not say. */
  readonly template: string;
  /** It has the annotation helm.sh/hook: helm creates it at its time, and it is no part of the release. */
  readonly hook: boolean;
  /** It has the annotation `helm.sh/resource-policy: keep`: it stays when the release goes. */
  readonly keep: boolean;
}

/** What a template has rendered is no object. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  readonly template: string;

  constructor(template: string, problem: string) {
    super(`${template || "the manifest"}: ${problem}`);
    this.template = template;
  }
}

/** Bytes of text. No API server stores an object that is larger; of lines without sense a parser makes hundreds of times as much. */
const longestObject = 1_500_000;
const longestManifest = 16_000_000;

/**
 * The objects of a manifest, in its order; those of a `kind: List` each for itself. Documents without content are left out.
 *
 * @throws ManifestError naming the template, when what it has rendered is not YAML, no object with kind and name, or too long
 * to be read
 */
export function parseManifest(manifest: string): ManifestObject[] {
  refuseLonger("", manifest, longestManifest);
  return documentsOf(manifest).flatMap(({ text, template }) =>
    valuesOf(text, template)
      .flatMap((value) => expand(value, template))
      .map((value) => asManifestObject(value, template)),
  );
}

function refuseLonger(template: string, text: string, most: number): void {
  if (text.length <= most) return;
  const megabytes = (length: number) => (length / 1_000_000).toFixed(1);
  throw new ManifestError(
    template,
    `it is ${megabytes(text.length)} MB long, and ${megabytes(most)} MB at most are read`,
  );
}

function valuesOf(text: string, template: string): JsonValue[] {
  refuseLonger(template, text, longestObject);
  try {
    // Of a key that stands twice the last one counts, as for helm, which has installed it.
    return parseYamlDocuments(text, { uniqueKeys: false })
      .map(({ value }) => value)
      .filter((value) => value !== null);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ManifestError(
      template,
      `what it renders is not YAML: line ${error.line} of it, column ${error.column}: ${error.message}`,
    );
  }
}

function expand(value: JsonValue, template: string): JsonObject[] {
  if (!isJsonObject(value)) {
    throw new ManifestError(template, `it renders ${JSON.stringify(value).slice(0, 60)}, which is no object`);
  }
  const kind = own(value, "kind");
  const items = own(value, "items");
  if (typeof kind !== "string" || !kind.endsWith("List") || !Array.isArray(items)) return [value];
  // The items of a ConfigMapList need not say what they are.
  const inherited = kind === "List" ? {} : { apiVersion: own(value, "apiVersion"), kind: kind.slice(0, -4) };
  return items.flatMap((item) => expand(isJsonObject(item) ? { ...inherited, ...item } : item, template));
}

function asManifestObject(value: JsonObject, template: string): ManifestObject {
  const metadata = own(value, "metadata");
  const { name, generateName, annotations } = isJsonObject(metadata) ? metadata : {};
  const kind = own(value, "kind");
  for (const [field, given] of Object.entries({ apiVersion: own(value, "apiVersion"), kind })) {
    if (typeof given !== "string" || given === "") {
      throw new ManifestError(template, `it renders an object without ${field}: say what it is`);
    }
  }
  if (typeof (name ?? generateName) !== "string") {
    throw new ManifestError(template, `it renders a ${kind} without metadata.name: give it one`);
  }
  const said = (key: string) => (isJsonObject(annotations) ? own(annotations, key) : undefined);
  return {
    // Its fields are whatever the template has written: the server is who checks them.
    object: value as KubeObject,
    template,
    hook: said("helm.sh/hook") !== undefined,
    keep: `${said("helm.sh/resource-policy") ?? ""}`.trim().toLowerCase() === "keep",
  };
}
