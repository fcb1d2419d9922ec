import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The first version whose `tsc` is a language server, too. */
const firstMajor = 7;

/**
 * Returns the `tsc` for a folder, as an absolute path: the project's own, or this repository's if the project has
 * none or an older one. Returns undefined if neither is installed.
 */
export function findTypeScript(folder: string): string | undefined {
  for (const from of [join(folder, "package.json"), import.meta.filename]) {
    const manifest = resolveManifest(from);
    if (manifest === undefined) continue;
    const { version, bin } = JSON.parse(readFileSync(manifest, "utf8")) as {
      readonly version?: string;
      readonly bin?: { readonly tsc?: string };
    };
    if (Number.parseInt(version ?? "", 10) >= firstMajor && bin?.tsc) return join(dirname(manifest), bin.tsc);
  }
  return undefined;
}

function resolveManifest(from: string): string | undefined {
  try {
    return createRequire(from).resolve("typescript/package.json");
  } catch {
    return undefined;
  }
}
