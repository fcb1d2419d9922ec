import type { SchemaChanges } from "./changes.ts";
import type { Generator } from "./generators.ts";
import type { Difference } from "./texts.ts";

/** What the sources of two versions of Kubernetes show. */
export interface Changes {
  readonly schemas: SchemaChanges;
  /** `Name: Beta, on`. */
  readonly gates: readonly string[];
  /** By file, the lines that report an invalid field and are new. */
  readonly validations: ReadonlyMap<string, readonly string[]>;
  /** Files that set defaults and differ. */
  readonly defaulting: readonly string[];
}

/** What is left for a person after a move to another version. */
export interface Work {
  readonly from: string;
  readonly to: string;
  /** What the registries could not answer. */
  readonly notes: readonly string[];
  readonly changes: Changes;
  /** What generators that ran found. */
  readonly findings: readonly string[];
  /** Generators that `bump-kubernetes` did not run. */
  readonly generators: readonly Generator[];
  /** Texts that still state the old version. */
  readonly differences: readonly Difference[];
}

/** Returns the list of what a person must look at, as Markdown. */
export function checklist(work: Work): string {
  const { schemas, gates, validations, defaulting } = work.changes;
  const errors = [...validations].flatMap(([file, lines]) => [
    `${file}:`,
    ...lines.map((line) => `  ${shorten(line)}`),
  ]);
  const sections: [title: string, lines: readonly string[]][] = [
    ["Versions that no registry could tell", work.notes],
    ["Kinds added", schemas.addedKinds],
    ["Kinds removed", schemas.removedKinds],
    ["Fields and types added (some are of gates that are off)", schemas.addedFields],
    ["Fields and types removed", schemas.removedFields],
    ["Defaults in the schemas", schemas.defaults],
    ["Files that set defaults and changed", defaulting],
    ["Required fields and enums", schemas.constraints],
    ["Deprecated now", schemas.deprecations],
    ["Feature gates that changed", gates],
    ["New validation errors", errors],
    ["Differences that generators found", work.findings],
    ["Generators to run, in this order", work.generators.flatMap(instructions)],
    ["Texts that still state the old version", textsToRedo(work.differences)],
  ];
  const title = `# From Kubernetes ${work.from} to ${work.to}: what a person must look at\n`;
  return [title, ...sections.map(([heading, lines]) => section(heading, lines)), closing].join("\n");
}

const closing = `## At the end

- [ ] \`npx --yes pnpm@12 install\`, \`npx --yes pnpm@12 types\`, \`npx --yes pnpm@12 test\`
- [ ] \`make generate manifests\` in each operator of the tutorials whose types embed those of Kubernetes
- [ ] \`npx --yes pnpm@12 verify\` runs the tutorials' pages: those that print a version fail by name and line
- [ ] \`npx --yes pnpm@12 proof\` compares with the real programs
- [ ] \`npx vitest run kubernetes-versions\` in \`scripts\` names every text that still states another version
`;

function section(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return `## ${heading}\n\nNone.\n`;
  const items = lines.map((line) => (line.startsWith("  ") ? `      ${line.trim()}` : `- [ ] ${line}`));
  return `## ${heading}\n\n${items.join("\n")}\n`;
}

function instructions({ command, in: folder, needs }: Generator): string[] {
  const place = folder === "." ? "" : `cd ${folder} && `;
  return [`\`${place}${command.join(" ")}\``, ...(needs === undefined ? [] : [`  needs ${needs}`])];
}

/** What to do, and below it the places where to do it. */
function textsToRedo(differences: readonly Difference[]): string[] {
  const byWork = Map.groupBy(differences, ({ redo = "run bump-kubernetes again" }) => redo);
  return [...byWork].flatMap(([redo, places]) => {
    const byFile = Map.groupBy(places, ({ file }) => file);
    return [`${redo}:`, ...[...byFile].map(([file, all]) => `  ${file}:${linesOf(all)} (${all[0]?.found})`)];
  });
}

function linesOf(places: readonly Difference[]): string {
  const lines = places.slice(0, 5).map(({ line }) => line);
  return lines.join(", ") + (places.length > lines.length ? ` and ${places.length - lines.length} more` : "");
}

function shorten(line: string): string {
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
