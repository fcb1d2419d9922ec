import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";

const sdk = join(import.meta.dirname, "../../../..");

/**
 * Installs the SDK in a project's node_modules as a package manager would: compiled, with its dependencies.
 */
export function installSdk(project: string): void {
  const modules = join(project, "node_modules");
  for (const name of ["client", "informers", "controller-runtime"]) {
    const from = join(sdk, name);
    const to = join(modules, "@operator-path", name);
    compile(join(from, "src"), join(to, "dist"));
    cpSync(join(from, "package.json"), join(to, "package.json"));
    if (name === "controller-runtime") cpSync(join(from, "bin"), join(to, "bin"), { recursive: true });
    const { dependencies } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
    for (const dependency of Object.keys(dependencies)) {
      if (!dependency.startsWith("@operator-path/")) link(dependency, join(from, "node_modules"), modules);
    }
  }
}

export function link(name: string, from: string, to: string): void {
  mkdirSync(dirname(join(to, name)), { recursive: true });
  try {
    symlinkSync(realpathSync(join(from, name)), join(to, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function compile(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.isDirectory()) {
      compile(source, join(to, entry.name));
    } else if (!entry.name.endsWith(".ts")) {
      cpSync(source, join(to, entry.name));
    } else if (!entry.name.endsWith(".test.ts")) {
      const text = stripTypeScriptTypes(readFileSync(source, "utf8"));
      const compiled = text.replaceAll(/((?:from|import)\s*\(?\s*"\.[^"]*)\.ts"/g, '$1.js"');
      writeFileSync(join(to, entry.name.replace(/\.ts$/, ".js")), compiled);
    }
  }
}
