import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { execa } from "execa";

/**
 * What the Go module proxy and npm's registry are asked for. Every function throws UserError when a registry
 * does not answer.
 */
export interface Registries {
  /** Returns the version (`v1.37.2`) for a query (`v1.37`). Throws UserError when the module has no such version. */
  resolveModule(module: string, query: string): Promise<string>;
  /** Returns the published versions, oldest first. */
  moduleVersions(module: string): Promise<string[]>;
  /** Returns the text of the module's go.mod. */
  goMod(module: string, version: string): Promise<string>;
  /** Downloads the module, and returns its folder. */
  moduleFolder(module: string, version: string): Promise<string>;
  /** Downloads the module, and returns the text of one of its files. */
  moduleFile(module: string, version: string, file: string): Promise<string>;
  /** Returns the folder that holds downloaded modules. */
  moduleCache(): Promise<string>;
  /** Returns the newest version of an npm package, or undefined when npm does not have it. */
  npmVersion(name: string): Promise<string | undefined>;
}

/** Returns the registries that `go` and `npm` on the PATH are configured for. */
export function realRegistries(): Registries {
  const describe = async (module: string, version: string): Promise<{ Dir: string }> =>
    JSON.parse(await go(["mod", "download", "-json", `${module}@${version}`])) as { Dir: string };
  const moduleFolder: Registries["moduleFolder"] = async (module, version) =>
    (await describe(module, version)).Dir;
  return {
    resolveModule: async (module, query) => go(["list", "-m", "-f", "{{.Version}}", `${module}@${query}`]),
    moduleVersions: async (module) => (await go(["list", "-m", "-versions", module])).split(" ").slice(1),
    goMod: async (module, version) =>
      readFile(await go(["list", "-m", "-f", "{{.GoMod}}", `${module}@${version}`]), "utf8"),
    moduleFolder,
    moduleFile: async (module, version, file) =>
      readFile(join(await moduleFolder(module, version), file), "utf8"),
    moduleCache: () => go(["env", "GOMODCACHE"]),
    npmVersion,
  };
}

/** Runs go outside of any module, so that no go.mod applies. */
async function go(args: readonly string[]): Promise<string> {
  const env = { GOWORK: "off", GOFLAGS: "-mod=mod" };
  const { failed, code, stdout, stderr } = await execa("go", args, { cwd: tmpdir(), env, reject: false });
  if (code === "ENOENT")
    throw new UserError("go is not on the PATH: install Go 1.26 or newer (https://go.dev/dl)");
  if (failed) {
    const said = (stderr || stdout).trim().split("\n").join(" ").replaceAll(/\s+/g, " ");
    throw new UserError(`the Go module proxy did not return ${args.at(-1)}: ${said}`);
  }
  return stdout.trim();
}

/** An outage must not be taken for a missing package. */
async function npmVersion(name: string): Promise<string | undefined> {
  const { failed, stdout } = await execa("npm", ["view", name, "version", "--json"], { reject: false });
  const answer = JSON.parse(stdout || "{}") as string | { error?: { code?: string; summary?: string } };
  if (!failed && typeof answer === "string") return answer;
  const error = typeof answer === "string" ? undefined : answer.error;
  if (error?.code === "E404") return undefined;
  throw new UserError(`cannot tell whether npm has ${name}: ${error?.summary ?? "npm view failed"}`);
}
