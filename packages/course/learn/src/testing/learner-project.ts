// A tutorial, and the folder of a learner who builds its project by hand.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { repositoryRoot } from "../repository.ts";
import { terminalVocabulary, type Vocabulary } from "../vocabulary.ts";

/** The words of the shell that `pnpm start` opens. */
export const shellWords = terminalVocabulary({ learn: "learn", exercise: "exercise", pnpm: "pnpm" });

export interface LearnerProject {
  /** Root of the repository that has the tutorial. */
  readonly root: string;
  readonly workshops: string;
  /** `workshops/01-sum/p`. */
  readonly project: string;
  /** Writes files of the learner's project. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  read(file: string): Promise<string>;
  /** Reports whether a path below the workshops exists. */
  has(path: string): boolean;
  /** Runs a command with the options of a learner's command. Resolves to its exit status and what it said. */
  run<O extends object>(
    command: (options: CommandOptions & O) => Promise<number>,
    more?: O & { env?: Record<string, string | undefined>; cwd?: string },
  ): Promise<{ status: number; said: string }>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface CommandOptions {
  readonly root: string;
  readonly workshops: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly words: Vocabulary;
  say(line: string): void;
}

/**
 * Makes the tutorial `01-sum` of a temporary repository. The learner's project `p` is empty, and has the
 * packages of this repository.
 *
 * @param tutorial files of the tutorial. In them, `~~~` stands for three backticks
 */
export async function learnerProject(tutorial: Readonly<Record<string, string>>): Promise<LearnerProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "learner-")));
  const workshops = join(root, ".operator-path");
  const project = join(workshops, "01-sum/p");
  const writeBelow = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  };
  const pages = Object.entries(tutorial).map(([path, text]) => [path, text.replaceAll("~~~", "```")]);
  await writeBelow(join(root, "tutorials/01-sum"), Object.fromEntries(pages));
  await mkdir(project, { recursive: true });
  await symlink(join(repositoryRoot, "node_modules"), join(project, "node_modules"));
  return {
    ...{ root, workshops, project },
    write: (files) => writeBelow(project, files),
    read: (file) => readFile(join(project, file), "utf8"),
    has: (path) => existsSync(join(workshops, path)),
    async run(command, more) {
      const said: string[] = [];
      const options = {
        ...{ root, workshops, cwd: root, env: process.env, signal: new AbortController().signal },
        ...{ words: shellWords, say: (line: string) => void said.push(line) },
      };
      const status = await command({ ...options, ...more } as Parameters<typeof command>[0]);
      // FORCE_COLOR may be set.
      return { status, said: stripVTControlCharacters(said.join("\n")) };
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

const add = "export function add(a: number, b: number): number {\n  return a + b;\n}\n";
const tsconfig =
  '{ "compilerOptions": { "target": "ES2024", "module": "NodeNext", "types": ["node"], "strict": true, "allowImportingTsExtensions": true, "skipLibCheck": true, "noEmit": true }, "include": ["src"] }\n';
const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "./add.ts";
test("adds", () => assert.equal(add(1, 2), 3));
`;
const main = 'import { add } from "./add.ts";\n\nconsole.log(add(1, 2));\n';

/** The learner's files after each step of `sumPage`. */
export const sumFiles = {
  setup: { "package.json": '{ "type": "module" }\n', "tsconfig.json": tsconfig },
  add: { "src/add.ts": add, "src/add.test.ts": test },
  program: { "src/main.ts": main, "map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: sum\n" },
  more: { "src/main.ts": main.replace("add(1, 2)", "add(40, 2)") },
} as const;

const block = (file: string, text: string): string => `[${file}](p/${file})\n\n~~~ts file\n${text}~~~\n\n`;
const blocks = (files: Readonly<Record<string, string>>): string =>
  Object.entries(files)
    .map(([file, text]) => block(file, text))
    .join("");

/** A page of four steps that build a program, with a test and an edit. */
export const sumPage = `---
title: Sum
project: p
---

# Sum

## Set it up

${blocks(sumFiles.setup)}
## Add two numbers

${blocks(sumFiles.add)}
## The program

${blocks(sumFiles.program)}
## Larger numbers

[src/main.ts](p/src/main.ts)

~~~diff
-console.log(add(1, 2));
+console.log(add(40, 2));
~~~

## Clean up
`;
