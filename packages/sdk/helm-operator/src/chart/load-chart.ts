import { join, resolve } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue, own, put } from "../json.ts";
import { parseYamlDocuments, YamlError } from "../yaml/parse-yaml.ts";
import { type Chart, ChartError, type ChartFile, type ChartLimits } from "./chart.ts";
import { filesDigest, readChart } from "./chart-files.ts";
import { confinedPath } from "./confined-path.ts";
import { noChartIn } from "./read-folder.ts";

/** Options of {@link loadChart}. */
export interface LoadChartOptions {
  /** The folder that must contain the chart. Its path is relative to it. Default: any folder. */
  readonly within?: string | undefined;
  /** Limits for the chart. Default: those of {@link ChartLimits}. */
  readonly limits?: Partial<ChartLimits> | undefined;
}

/**
 * Reads a chart (a folder or a .tgz) into memory. Checks what helm would fail on, or should not see: names
 * and links that lead out of it, archives that unpack beyond the limits, a Chart.yaml without a name or a
 * version. Does not check templates: a dry run does that. Unpacks nothing to disk.
 *
 * @param path relative to `within`, or else to the working directory
 * @throws ChartError when the chart is missing, invalid or unsafe to read
 */
export async function loadChart(path: string, options: LoadChartOptions = {}): Promise<Chart> {
  const { within, limits } = options;
  const place = within === undefined ? resolve(path) : await confinedPath(resolve(within), path);
  const { files, crds } = await readChart(place, limits);
  const metadata = find(files, "Chart.yaml");
  if (metadata === undefined) {
    throw new ChartError(noChartIn(place));
  }
  const values = find(files, "values.yaml");
  return {
    path: place,
    ...parseMetadata(metadata, join(place, "Chart.yaml")),
    digest: filesDigest(files),
    values: values === undefined ? {} : parseValues(values, join(place, "values.yaml")),
    crds,
  };
}

function find(files: readonly ChartFile[], wanted: string): string | undefined {
  return files.find(({ name }) => name === wanted)?.data.toString("utf8");
}

interface ChartMetadata {
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string;
}

/** A version that helm accepts: semver, in which minor and patch may be missing and a `v` may come first. */
const version =
  /^v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * Parses a Chart.yaml.
 *
 * @param file for messages
 * @throws ChartError naming the field
 */
function parseMetadata(text: string, file: string): ChartMetadata {
  const table = parse(text, file);
  const name = textOf(own(table, "name"));
  if (name === undefined || name === "") throw new ChartError(`${file}: name is missing: add name: my-chart`);
  if (name === "." || name === ".." || /[/\0]/.test(name)) {
    throw new ChartError(`${file}: name ${JSON.stringify(name)} is not a valid chart name`);
  }
  const itsVersion = textOf(own(table, "version"));
  if (itsVersion === undefined || itsVersion === "") {
    throw new ChartError(`${file}: version is missing: add version: 0.1.0`);
  }
  if (!version.test(itsVersion)) {
    throw new ChartError(
      `${file}: version ${JSON.stringify(itsVersion)} is not a semantic version such as 1.2.3`,
    );
  }
  if (own(table, "type") === "library") {
    throw new ChartError(`${file}: ${name} is a library chart: only other charts can use it`);
  }
  const appVersion = textOf(own(table, "appVersion"));
  return { name, version: itsVersion, ...(appVersion !== undefined && { appVersion }) };
}

function parse(text: string, file: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseYamlDocuments(text, { uniqueKeys: false })[0]?.value ?? null;
  } catch (error) {
    if (error instanceof YamlError)
      throw new ChartError(`${file}:${error.line}:${error.column}: ${error.message}`);
    throw error;
  }
  if (isJsonObject(value)) return value;
  throw new ChartError(`${file} is not a table of fields: it needs name, version and apiVersion`);
}

/** Converts a number or boolean to text, as helm's library does. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? undefined : String(value);
}

/**
 * Reads a values.yaml as helm does. Merges the tables of several documents, later ones over earlier ones. The
 * last of duplicate keys counts, and an empty document adds nothing.
 *
 * @param file for messages
 * @throws ChartError naming the line
 */
export function parseValues(text: string, file: string): JsonObject {
  try {
    return parseYamlDocuments(text, { uniqueKeys: false }).reduce<JsonObject>((merged, { value, lineOf }) => {
      if (value === null) return merged;
      if (isJsonObject(value)) return mergeTables(merged, value);
      throw new ChartError(`${file}:${lineOf([])}: values must be a table of keys`);
    }, {});
  } catch (error) {
    if (error instanceof YamlError)
      throw new ChartError(`${file}:${error.line}:${error.column}: ${error.message}`);
    throw error;
  }
}

function mergeTables(a: JsonObject, b: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(a)) if (value !== undefined) put(result, key, value);
  for (const [key, value] of Object.entries(b)) {
    const before = own(result, key);
    if (value === undefined) continue;
    put(result, key, isJsonObject(before) && isJsonObject(value) ? mergeTables(before, value) : value);
  }
  return result;
}
