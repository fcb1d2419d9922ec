import {
  boolYaml11Tag,
  constructFromEvents,
  defineMappingTag,
  defineScalarTag,
  EVENT_ID,
  FAILSAFE_SCHEMA,
  floatYaml11Tag,
  intYaml11Tag,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
  parseEvents,
  YAMLException,
} from "js-yaml";
import { type JsonObject, type JsonValue, setMember } from "../json/json.ts";
import { duplicateKeys } from "./duplicate-keys.ts";
import { createAliasLimit } from "./yaml-aliases.ts";

/**
 * The text is not YAML, or its aliases expand too far. Like a real server's, the message begins with `yaml:
 * `.
 */
export class YamlSyntaxError extends Error {
  override readonly name = "YamlSyntaxError";
}

export interface ParsedYaml {
  value: JsonValue;
  /** `line 5: key "x" already set in map`, in the order of the text. The last value wins. */
  duplicates: string[];
}

/** The same as for JSON. */
const maximumDepth = 1_000;
const maximumMergedKeys = 10_000;

/** Removes numbers of base 60 from YAML 1.1. Like sigs.k8s.io/yaml, a time of day stays text. */
function withoutBase60(tag: typeof intYaml11Tag) {
  return defineScalarTag(tag.tagName, {
    ...tag,
    resolve: (source, isExplicit, tagName) =>
      source.includes(":") ? NOT_RESOLVED : tag.resolve(source, isExplicit, tagName),
  });
}

const mappingTag = defineMappingTag<JsonObject>("tag:yaml.org,2002:map", {
  create: () => ({}),
  addPair(object, key, value) {
    if (typeof key === "object" && key !== null) return "invalid map key";
    setMember(object, String(key), value as JsonValue);
    return "";
  },
  has: (object, key) => Object.hasOwn(object, String(key)),
  keys: (object) => Object.keys(object),
  get: (object, key) => object[String(key)],
  finalize: inOrder,
  identify: () => false,
});

/** Sorts members by name, because a real server iterates over a sorted map. */
function inOrder(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  if (keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key)) return object;
  // Object.fromEntries defines members, so `__proto__` stays data.
  return Object.fromEntries(keys.sort().map((key) => [key, object[key]]));
}

const schema = FAILSAFE_SCHEMA.withTags(
  nullYaml11Tag,
  boolYaml11Tag,
  withoutBase60(intYaml11Tag),
  withoutBase60(floatYaml11Tag),
  mergeTag,
  mappingTag,
);

/**
 * Parses one YAML document like sigs.k8s.io/yaml: YAML 1.1 (`yes` is true, `012` is ten), and keys become
 * strings. The expansion of aliases is limited.
 *
 * @throws YamlSyntaxError
 */
export function parseYaml(text: string): ParsedYaml {
  try {
    const events = parseEvents(text, { maxDepth: maximumDepth });
    const documents = constructFromEvents(events, {
      source: text,
      schema,
      json: true,
      maxTotalMergeKeys: maximumMergedKeys,
    });
    if (documents.length > 1) throw new YamlSyntaxError("yaml: expected a single document");
    // The schema produces only JSON values.
    const value = (documents[0] ?? null) as JsonValue;
    const hasAliases = events.some(({ type }) => type === EVENT_ID.ALIAS);
    return { value: hasAliases ? expandAliases(value) : value, duplicates: duplicateKeys(events, text) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? "" : `line ${error.mark.line + 1}: `;
    throw new YamlSyntaxError(`yaml: ${line}${error.reason}`);
  }
}

/** Copies the value for each alias. */
function expandAliases(document: JsonValue): JsonValue {
  const limit = createAliasLimit();
  const around = new Set<object>();

  function copy(value: JsonValue): JsonValue {
    if (value === null || typeof value !== "object") return value;
    if (around.has(value)) throw new YamlSyntaxError("yaml: the value of an anchor contains itself");
    if (around.size > maximumDepth) throw new YamlSyntaxError("yaml: exceeded max depth");
    if (!limit.enter(value)) throw new YamlSyntaxError("yaml: document contains excessive aliasing");
    around.add(value);
    const copied = Array.isArray(value)
      ? value.map(copy)
      : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member ?? null)]));
    around.delete(value);
    limit.leave(value);
    return copied;
  }

  return copy(document);
}
