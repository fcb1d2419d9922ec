/** An OpenAPI v3 document of Kubernetes, as far as it is compared. */
export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface Schema {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly "x-kubernetes-group-version-kind"?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

/** Differences between the schemas of two versions, a line each, sorted. */
export interface SchemaChanges {
  readonly addedKinds: readonly string[];
  readonly removedKinds: readonly string[];
  /** `core/v1 PodSpec: a, b`, or `core/v1 PodSpec` for a type that the other version does not have. */
  readonly addedFields: readonly string[];
  readonly removedFields: readonly string[];
  /** `core/v1 PodSpec.x: 1 → 2`. */
  readonly defaults: readonly string[];
  /** What a field requires or allows. */
  readonly constraints: readonly string[];
  /** Fields and kinds whose description calls them deprecated now. */
  readonly deprecations: readonly string[];
}

/**
 * Compares the schemas of two versions.
 *
 * @param before the OpenAPI documents of the stable group-versions, in any order
 */
export function compareSchemas(
  before: readonly OpenApiDocument[],
  after: readonly OpenApiDocument[],
): SchemaChanges {
  const [old, now] = [definitionsOf(before), definitionsOf(after)];
  const [oldKinds, nowKinds] = [kindsOf(old), kindsOf(now)];
  const [oldFields, nowFields] = [fieldsOf(old), fieldsOf(now)];
  const defaults: string[] = [];
  const constraints: string[] = [];
  const deprecations: string[] = [];
  for (const [name, field] of nowFields) {
    const was = oldFields.get(name);
    if (was === undefined) continue;
    if (text(was.default) !== text(field.default))
      defaults.push(`${name}: ${text(was.default)} → ${text(field.default)}`);
    if (text(was.enum) !== text(field.enum))
      constraints.push(`${name}: ${text(was.enum)} → ${text(field.enum)}`);
    if (was.isRequired !== field.isRequired)
      constraints.push(`${name}: ${field.isRequired ? "is required now" : "is no longer required"}`);
    if (isDeprecated(field) && !isDeprecated(was)) deprecations.push(name);
  }
  for (const [name, definition] of now) {
    const was = old.get(name);
    if (was && isDeprecated(definition) && !isDeprecated(was)) deprecations.push(name);
  }
  return {
    addedKinds: missingIn(oldKinds, nowKinds),
    removedKinds: missingIn(nowKinds, oldKinds),
    addedFields: fieldsMissingIn(old, now),
    removedFields: fieldsMissingIn(now, old),
    defaults: defaults.sort(),
    constraints: constraints.sort(),
    deprecations: deprecations.sort(),
  };
}

/**
 * Returns the feature gates that changed in a minor version, each with its stage and default: `Name: Beta, on`.
 *
 * @param source the text of a kube_features.go
 * @param minor `1.37`
 */
export function changedGates(source: string, minor: string): string[] {
  const gates: string[] = [];
  for (const [, name = "", body = ""] of source.matchAll(/^\t([\w.]+): \{\n((?:\t\t.*\n)*)\t\},/gm)) {
    const entry = body.split("\n").find((line) => line.includes(`MustParse("${minor}")`));
    const [, isOn, stage] = /Default: (\w+), PreRelease: featuregate\.(\w+)/.exec(entry ?? "") ?? [];
    if (stage !== undefined)
      gates.push(`${name.split(".").at(-1)}: ${stage}, ${isOn === "true" ? "on" : "off"}`);
  }
  return [...new Set(gates)].sort();
}

/**
 * Returns the lines of Go code that report an invalid field and that only the second text has.
 *
 * @param before the text of a validation.go, empty for a file that is new
 */
export function addedErrors(before: string, after: string): string[] {
  const known = new Set(before.split("\n").map((line) => line.trim()));
  return after
    .split("\n")
    .map((line) => line.trim())
    .filter((line) =>
      /\bfield\.(Required|Invalid|Forbidden|NotSupported|TooLong|TooMany|Duplicate)\(/.test(line),
    )
    .filter((line) => !known.has(line));
}

function definitionsOf(documents: readonly OpenApiDocument[]): Map<string, Schema> {
  return new Map(
    documents.flatMap(({ components }) =>
      Object.entries(components?.schemas ?? {}).map(([name, schema]): [string, Schema] => [
        shortName(name),
        schema,
      ]),
    ),
  );
}

/** `io.k8s.api.core.v1.PodSpec` → `core/v1 PodSpec`. */
function shortName(name: string): string {
  const [group = "", version = "", kind = ""] = name.split(".").slice(-3);
  return `${group}/${version} ${kind}`;
}

/** A definition with several kinds, such as DeleteOptions, is not a kind of its own. */
function kindsOf(definitions: ReadonlyMap<string, Schema>): Set<string> {
  const kinds = [...definitions.values()].flatMap((schema) => {
    const own = schema["x-kubernetes-group-version-kind"] ?? [];
    return own.length === 1
      ? own.map(({ group, version, kind }) => `${group || "core"}/${version} ${kind}`)
      : [];
  });
  return new Set(kinds.filter((kind) => !kind.endsWith("List")));
}

type Field = Schema & { readonly isRequired: boolean };

function fieldsOf(definitions: ReadonlyMap<string, Schema>): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const [definition, { properties = {}, required = [] }] of definitions)
    for (const [name, schema] of Object.entries(properties))
      fields.set(`${definition}.${name}`, { ...schema, isRequired: required.includes(name) });
  return fields;
}

function missingIn(known: ReadonlySet<string>, names: ReadonlySet<string>): string[] {
  return [...names].filter((name) => !known.has(name)).sort();
}

/** Types are named as a whole where the other version has none of that name; kinds are listed as kinds. */
function fieldsMissingIn(known: ReadonlyMap<string, Schema>, all: ReadonlyMap<string, Schema>): string[] {
  const lines = [...all].flatMap(([name, { properties = {}, ...rest }]) => {
    const other = known.get(name);
    if (other === undefined) return "x-kubernetes-group-version-kind" in rest ? [] : [name];
    const fields = Object.keys(properties).filter((field) => !(field in (other.properties ?? {})));
    return fields.length === 0 ? [] : [`${name}: ${fields.sort().join(", ")}`];
  });
  return lines.sort();
}

function isDeprecated({ description = "" }: Schema): boolean {
  return /\bdeprecated\b/i.test(description);
}

function text(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}
