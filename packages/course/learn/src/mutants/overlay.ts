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

/**
 * A copy of one tutorial for mutants, in a folder that looks like the repository. The rest of the folder is
 * links.
 */
export interface Overlay {
  readonly root: string;
  /** The tutorial's folder. */
  readonly tutorial: string;
  /** Restores the tutorial, and writes this mutant. */
  write(changes: Mutant["changes"]): void;
  [Symbol.dispose](): void;
}

/** Copies `tutorials/<name>` of the repository. Projects use the node_modules of the repository. */
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
      // Tests and generators also write into the project, so all of it is copied again.
      for (const entry of readdirSync(tutorial))
        rmSync(join(tutorial, entry), { recursive: true, force: true });
      copyWithout(original, tutorial, "node_modules");
      for (const [path, content] of changes) writeFileSync(join(tutorial, path), content);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Copies a folder. Entries called `linked` become links to the original. */
function copyWithout(from: string, to: string, linked: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === linked) symlinkSync(source, target);
    else if (entry.isDirectory()) copyWithout(source, target, linked);
    else cpSync(source, target, { verbatimSymlinks: true });
  }
}

/**
 * Returns the folder of the nearest package.json above a file of the tutorial: a project, or the tutorial
 * itself.
 */
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
