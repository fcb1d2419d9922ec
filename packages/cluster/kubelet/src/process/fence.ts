import type { ContainerFolder } from "./container-folder.ts";
import { nodeOption, withoutPermissions } from "./node-options.ts";

/**
 * Node's permission model for a container: its own folder and volumes, the project's node_modules, no addons, no other
 * programs. It stops a program's mistakes and curiosity, not an attacker who has found a way around it in Node: the
 * program is still a process of this user.
 *
 * @param childProcesses programs that the container starts are not fenced in any more; tsx needs esbuild
 */
export function permissionFlags(
  folder: ContainerFolder,
  options: { preload: string; childProcesses: boolean },
): string[] {
  const reads = [folder.root, ...folder.reads, options.preload, process.execPath, ...devices];
  return [
    "--permission",
    ...reads.map((path) => `--allow-fs-read=${path}`),
    ...[...folder.writes, ...devices].map((path) => `--allow-fs-write=${path}`),
    "--allow-net",
    ...(options.childProcesses
      ? ["--allow-child-process", "--allow-addons", "--disable-warning=SecurityWarning"]
      : []),
    ...modulesOff.filter((option) => process.allowedNodeEnvironmentFlags.has(option)),
    // "--allow-net is under experimental phase" is nothing that the learner has asked for.
    "--disable-warning=ExperimentalWarning",
  ];
}

/** Modules that open files without asking the permission model, and a signal that opens a debugger. */
const modulesOff = [
  "--no-experimental-sqlite",
  "--no-experimental-webstorage",
  "--no-experimental-ffi",
  "--disable-sigusr1",
];

const devices = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/stdout", "/dev/stderr"];

/**
 * What the dynamic linker, the C library and OpenSSL would take as code to load, or as a file to open, before Node has a
 * fence at all.
 */
const loading =
  /^(?:LD_.*|DYLD_.*|OPENSSL_CONF|OPENSSL_MODULES|OPENSSL_ENGINES|GCONV_PATH|LOCPATH|GLIBC_TUNABLES)$/;

/** Variables by which Node writes files, or takes a file descriptor for something else. */
const ofNode =
  /^NODE_(?:V8_COVERAGE|REDIRECT_WARNINGS|COMPILE_CACHE|REPL_HISTORY|REPL_EXTERNAL_MODULE|ICU_DATA|CHANNEL_.*|UNIQUE_ID|TEST_.*)$/;

/** Certificates that Node and OpenSSL read without asking the permission model. */
const certificates = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/;

/**
 * The environment of a process as far as it keeps the fence closed.
 * @param args what follows `node`
 * @param contained returns the place on the host of a container's path. Throws when a link leads out of the container
 */
export function fencedEnvironment(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  contained: (path: string) => string = (path) => path,
): Record<string, string> {
  const kept = Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => !loading.test(name) && !ofNode.test(name))
      .map(([name, value]) => [name, certificates.test(name) && value ? contained(value) : value]),
  );
  // The environment's goes before that of a file of `--env-file`, which would not be looked at.
  const hasFile = args.some((word) => nodeOption(word).name.startsWith("--env-file"));
  if (env.NODE_OPTIONS === undefined && !hasFile) return kept;
  return { ...kept, NODE_OPTIONS: withoutPermissions(env.NODE_OPTIONS ?? "") };
}
