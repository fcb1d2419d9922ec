import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Mutant } from "@operator-path/walkthrough";

/** A copy of one tutorial that may be broken, in a folder that looks like the repository: the rest of it are links. */
export interface Overlay {
  readonly root: string;
  /** The tutorial's folder. */
  readonly tutorial: string;
  /** Undoes the mutant that was written before, and writes this one. */
  write(changes: Mutant["changes"]): void;
  [Symbol.dispose](): void;
}

/** Copies `tutorials/<name>` of the repository. Projects keep the node_modules that the repository has for them. */
export function createOverlay(root: string, name: string): Overlay {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "operator-path-mutants-")));
  const linkAll = (from: string, to: string, but: string): void => {
    for (const entry of readdirSync(from)) {
      if (entry !== but && entry !== ".git" && entry !== ".turbo")
        symlinkSync(join(from, entry), join(to, entry));
    }
  };
  linkAll(root, folder, "tutorials");
  mkdirSync(join(folder, "tutorials"));
  linkAll(join(root, "tutorials"), join(folder, "tutorials"), name);
  const original = join(root, "tutorials", name);
  const tutorial = join(folder, "tutorials", name);
  copyWithout(original, tutorial, "node_modules");
  return {
    root: folder,
    tutorial,
    write(changes) {
      // Tests and generators write into the project as well: all of it is made anew.
      for (const entry of readdirSync(tutorial))
        rmSync(join(tutorial, entry), { recursive: true, force: true });
      copyWithout(original, tutorial, "node_modules");
      for (const [path, content] of changes) writeFileSync(join(tutorial, path), content);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Copies a folder. What is called `linked` in it becomes a link to the original. */
function copyWithout(from: string, to: string, linked: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === linked) symlinkSync(source, target);
    else if (entry.isDirectory()) copyWithout(source, target, linked);
    else cpSync(source, target, { verbatimSymlinks: true });
  }
}

/** The folder of the tutorial's file with the nearest package.json above it: a project, or the tutorial itself. */
export function packageOf(tutorial: string, path: string): string {
  for (
    let folder = dirname(join(tutorial, path));
    folder.length > tutorial.length;
    folder = dirname(folder)
  ) {
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  return tutorial;
}
