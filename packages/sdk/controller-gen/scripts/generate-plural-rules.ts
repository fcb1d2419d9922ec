/**
 * Writes src/generated/plural-rules.ts: the words and endings with which github.com/gobuffalo/flect forms
 * plurals. controller-tools uses that library.
 *
 * node packages/sdk/controller-gen/scripts/generate-plural-rules.ts
 *
 * Needs Go and its module proxy.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const cwd = join(import.meta.dirname, "kubernetes-types");
const module = "github.com/gobuffalo/flect";
const folder = execFileSync("go", ["list", "-m", "-f", "{{.Dir}} {{.Version}}", module], { cwd })
  .toString()
  .trim();
const [dir = "", version = ""] = folder.split(" ");
const read = (file: string): string => readFileSync(join(dir, file), "utf8").replaceAll(/\/\/.*$/gm, "");

const license = readFileSync(join(dir, "LICENSE"), "utf8")
  .trim()
  .split("\n")
  .map((line) => `// ${line}`.trimEnd())
  .join("\n");

const rules = read("plural_rules.go");
const words = [...rules.matchAll(/\{(singular: "[^}]*)\}/g)].map(([, text = ""]) => {
  const field = (name: string): string | undefined => new RegExp(`${name}: "([^"]*)"`).exec(text)?.[1];
  const is = (name: string): boolean => text.includes(`${name}: true`);
  const singular = field("singular") ?? "";
  return {
    singular,
    plural: field("plural") ?? singular,
    ...(field("alternative") === undefined ? {} : { alternative: field("alternative") }),
    ...(is("unidirectional") ? { unidirectional: true } : {}),
    ...(is("exact") ? { exact: true } : {}),
  };
});
const endings = [...rules.matchAll(/\{"([^"]+)", "([^"]+)"\}/g)].map(([, from, to]) => [from, to]);
const acronyms = [...read("acronyms.go").matchAll(/"([^"]+)":\s*true/g)].map(([, word]) => word);

writeFileSync(
  join(import.meta.dirname, "../src/generated/plural-rules.ts"),
  `// Written by scripts/generate-plural-rules.ts from ${module} ${version}, whose licence is:
//
${license}

/** Words with irregular plurals. */
export const words: readonly {
  readonly singular: string;
  readonly plural: string;
  readonly alternative?: string;
  readonly unidirectional?: boolean;
  readonly exact?: boolean;
}[] = ${JSON.stringify(words)};

/** Endings with their plurals. The first ending that matches applies. */
export const endings: readonly (readonly [string, string])[] = ${JSON.stringify(endings)};

export const acronyms: readonly string[] = ${JSON.stringify(acronyms)};
`,
);
console.log(`${words.length} words, ${endings.length} endings, ${acronyms.length} acronyms`);
