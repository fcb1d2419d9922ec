import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { runControllerGen } from "../command/run.ts";

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Files that the run has created or changed, by path. */
  readonly written: Readonly<Record<string, string>>;
}

/** Runs controller-gen in a temporary folder that contains the files. */
export function runIn(files: Readonly<Record<string, string>>, args: readonly string[]): Run {
  const cwd = mkdtempSync(join(tmpdir(), "controller-gen-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    let stdout = "";
    let stderr = "";
    const code = runControllerGen(args, {
      cwd,
      stdout: (text) => {
        stdout += text;
      },
      stderr: (text) => {
        stderr += text;
      },
    });
    const written = Object.fromEntries(filesBelow(cwd, cwd).filter(([path, text]) => files[path] !== text));
    return { code, stdout, stderr, written };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Returns the files of a folder api/v1 with these types. */
export function apiOf(types: string): Record<string, string> {
  return {
    "api/v1/groupversion.info.ts": "// +groupName=test.example.com\nexport const groupVersion = {};\n",
    "api/v1/thing.types.ts": types,
  };
}

function filesBelow(folder: string, root: string): [string, string][] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory()
      ? filesBelow(path, root)
      : [[relative(root, path), readFileSync(path, "utf8")] as [string, string]];
  });
}
