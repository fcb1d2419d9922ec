import type { KubeObject } from "@operator-path/client";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { parseYamlDocuments, YamlError } from "../yaml/parse-yaml.ts";

/** An object of a release's manifest. */
export interface ManifestObject {
  readonly object: KubeObject;
  /** The template, as helm names it: `memcached/templates/service.yaml`; "" when unknown. */
  readonly template: string;
  /**
   * It has the annotation helm.sh/hook: helm creates it during operations, and it is not part of the release.
   */
  readonly hook: boolean;
  /** It has the annotation `helm.sh/resource-policy: keep`: it stays when the release is uninstalled. */
  readonly keep: boolean;
}

/** A template rendered something that is not an object. The message names the template. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  /** The file that was rendered; "" when unknown. */
  readonly template: string;

  constructor(template: string, problem: string) {
    super(`${template || "the manifest"}: ${problem}`);
    this.template = template;
  }
}

/** In characters. No API server stores a larger object, and a parser may need hundreds of times its size. */
const longestObject = 1_500_000;
const longestManifest = 16_000_000;

/**
 * Returns the objects of a manifest, in order. Expands a `kind: List`, and skips empty documents.
 *
 * @param manifest YAML documents, as `helm get manifest` prints them
 * @throws ManifestError naming the template whose output is not YAML, lacks a kind or a name, or is too long
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
    `it is ${megabytes(text.length)} MB long: at most ${megabytes(most)} MB are read`,
  );
}

function valuesOf(text: string, template: string): JsonValue[] {
  refuseLonger(template, text, longestObject);
  try {
    // The last of duplicate keys counts, as for helm, which has installed it.
    return parseYamlDocuments(text, { uniqueKeys: false })
      .map(({ value }) => value)
      .filter((value) => value !== null);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ManifestError(
      template,
      `its output is not YAML: line ${error.line}, column ${error.column}: ${error.message}`,
    );
  }
}

function expand(value: JsonValue, template: string): JsonObject[] {
  if (!isJsonObject(value)) {
    throw new ManifestError(
      template,
      `it renders ${JSON.stringify(value).slice(0, 60)}, which is not an object`,
    );
  }
  const kind = own(value, "kind");
  const items = own(value, "items");
  if (typeof kind !== "string" || !kind.endsWith("List") || !Array.isArray(items)) return [value];
  // The items of a ConfigMapList may omit apiVersion and kind.
  const inherited = kind === "List" ? {} : { apiVersion: own(value, "apiVersion"), kind: kind.slice(0, -4) };
  return items.flatMap((item) => expand(isJsonObject(item) ? { ...inherited, ...item } : item, template));
}

function asManifestObject(value: JsonObject, template: string): ManifestObject {
  const metadata = own(value, "metadata");
  const { name, generateName, annotations } = isJsonObject(metadata) ? metadata : {};
  const kind = own(value, "kind");
  for (const [field, given] of Object.entries({ apiVersion: own(value, "apiVersion"), kind })) {
    if (typeof given !== "string" || given === "") {
      throw new ManifestError(template, `it renders an object without ${field}: add it`);
    }
  }
  if (typeof (name ?? generateName) !== "string") {
    throw new ManifestError(template, `it renders a ${kind} without metadata.name: give it one`);
  }
  const annotation = (key: string) => (isJsonObject(annotations) ? own(annotations, key) : undefined);
  return {
    // The template may have written any fields: the server checks them.
    object: value as KubeObject,
    template,
    hook: annotation("helm.sh/hook") !== undefined,
    keep: `${annotation("helm.sh/resource-policy") ?? ""}`.trim().toLowerCase() === "keep",
  };
}

/** A document of a manifest, as text. */
interface ManifestDocument {
  readonly text: string;
  /** The file that it was rendered from; "" when unknown. */
  readonly template: string;
}

/**
 * Returns the documents of a manifest. Three dashes begin one, and helm writes the source file above each.
 */
export function documentsOf(manifest: string): ManifestDocument[] {
  let template = "";
  return manifest.split(/^---(?=\s|$)/m).map((text) => {
    template = /^# Source: (.*?)\s*$/m.exec(text)?.[1] ?? template;
    return { text, template };
  });
}
