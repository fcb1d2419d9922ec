/** What went wrong, as far as somebody would act otherwise upon it. */
export type HelmErrorKind =
  /** A template: what is wrong is in the chart, or in the values that it was given. Nothing was written. */
  | "render"
  /** The values are not what the chart's values.schema.json allows. Nothing was written. */
  | "schema"
  /** The chart is not there, is none, or lacks a chart that it depends on. Nothing was written. */
  | "chart"
  /** A kind that the server does not serve: its CustomResourceDefinition is missing. */
  | "unknown-kind"
  /** The release is pending: somebody is at it, or has died over it. */
  | "pending"
  /** There is a release of that name, where there should be none. */
  | "exists"
  /** There is no release of that name, or no such revision. */
  | "not-found"
  /** An object is there that belongs to somebody else, another release say. */
  | "ownership"
  /** There is no way to the API server, or it does not know who asks. */
  | "unreachable"
  /** The API server does not allow it: a rule is missing in a role. */
  | "forbidden"
  /** Whatever else the API server has refused, or a hook that failed. */
  | "cluster"
  /** It was stopped, by its AbortSignal or by `dispose`. */
  | "cancelled"
  /** It could not be started, or is a version that nobody here knows. */
  | "not-started";

/** In helm's own words, 3 and 4; the first that fits counts. */
const words: readonly (readonly [HelmErrorKind, RegExp])[] = [
  ["schema", /^values don't meet the specifications of the schema/],
  ["render", /^execution error at \(/],
  ["render", /^YAML parse error on /],
  ["render", /^parse error at \(/],
  // Helm 3: template: chart/templates/x.yaml:1:2: executing …; helm 4: chart/templates/x.yaml:1:2, newline, executing …
  ["render", /^template: \S+:\d+/],
  ["render", /^\S+:\d+(:\d+)?\n/],
  ["render", /^(manifest|MANIFEST)[- ]\d+: /],
  ["render", /error converting YAML to JSON|mapping key .* already defined/],
  [
    "render",
    /^unable to build kubernetes objects from (new )?release manifest: error (validating|parsing|when)/,
  ],
  ["chart", /^path ".*" not found|Chart\.yaml file is missing|checking for chart dependencies/],
  ["chart", /^chart requires kubeVersion|^validation: chart\.metadata|^cannot load |chart\.metadata\./],
  [
    "chart",
    /is not a chart|file does not appear to be a gzipped archive|^library charts are not installable/,
  ],
  ["unknown-kind", /no matches for kind /],
  ["pending", /^another operation \(install\/upgrade\/rollback\) is in progress/],
  ["exists", /cannot re-?use a name that is still in use|release: already exists/],
  ["not-found", /has no deployed releases|release: not found|^release has no \d+ version/],
  ["ownership", /invalid ownership metadata/],
  ["unreachable", /cluster unreachable/i],
  ["forbidden", / is forbidden: /],
  ["cancelled", /^context canceled$/],
];

/** @param said helm's error, without what comes before it */
export function kindOf(said: string): HelmErrorKind {
  return words.find(([, pattern]) => pattern.test(said))?.[0] ?? "cluster";
}
