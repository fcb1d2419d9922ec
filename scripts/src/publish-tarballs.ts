import { execa } from "execa";

/** A package's tarball, as it goes to the registry. */
export interface Tarball {
  readonly name: string;
  readonly version: string;
  /** Absolute path. */
  readonly file: string;
}

export interface PublishOptions {
  /** Of `npm publish`. */
  readonly flags?: readonly string[];
  /** Of npm, beside this process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly say: (line: string) => void;
}

/**
 * Publishes the tarballs that the registry does not have yet, one after the other. So a release that was interrupted is
 * finished by a second call.
 *
 * @param tarballs each after the packages that it needs
 * @throws Error naming the package when the registry does not answer, or refuses it; later ones are not published then
 */
export async function publishTarballs(tarballs: readonly Tarball[], o: PublishOptions): Promise<void> {
  const { flags = [], env = {}, say } = o;
  for (const { name, version, file } of tarballs) {
    if (await isPublished(`${name}@${version}`, env)) {
      say(`${name} ${version}: already in the registry`);
      continue;
    }
    const { exitCode, all } = await execa("npm", ["publish", file, "--access=public", ...flags], {
      ...{ env, reject: false, all: true },
    });
    if (exitCode !== 0) throw new Error(`${name} ${version} was not published; npm says:\n${all}`);
    say(`${name} ${version}: published`);
  }
}

/** An outage must not be taken for a missing version. */
async function isPublished(spec: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const { exitCode, stdout } = await execa("npm", ["view", spec, "version", "--json"], {
    env,
    reject: false,
  });
  if (exitCode === 0) return stdout.trim() !== "";
  const { error } = JSON.parse(stdout || "{}") as { error?: { code?: string; summary?: string } };
  if (error?.code === "E404") return false;
  throw new Error(`cannot tell whether the registry has ${spec}: ${error?.summary ?? "npm view failed"}`);
}
