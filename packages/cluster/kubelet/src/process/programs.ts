import { accessSync, constants, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import type { Container, ProcessContext, Program } from "../runtime/contracts.ts";
import { findProgram } from "../runtime/find-program.ts";
import type { ProcessHost } from "./process-host.ts";
import { runNode } from "./run-process.ts";
import { toolPaths } from "./tools/tool-paths.ts";
import { splitWords } from "./words.ts";

/** The programs of an image with Node that run as processes of the host. */
export interface NodePrograms {
  readonly node: Program;
  /** docker-entrypoint.sh of the node images. */
  readonly entrypoint: Program;
  /** `npm start`, `npm run <script>`. */
  readonly npm: Program;
  /** `npx <command of node_modules>`. */
  readonly npx: Program;
  /** Runs `sh -c "one command"` as that command. Returns undefined for scripts that need a shell. */
  readonly shell: (context: ProcessContext) => Promise<number> | undefined;
  /** Returns executables of node_modules, and scripts of the image whose interpreter is node. */
  find(container: Container, path: string): Program | undefined;
}

export function nodePrograms(host: ProcessHost): NodePrograms {
  const start = async (context: ProcessContext, args: readonly string[], childProcesses = false) =>
    runNode(context, host, host.folderOf(context.container), args, { childProcesses });
  const node: Program = (context) => start(context, context.argv.slice(1));

  /** Runs another command in place of this one, as exec does. */
  async function exec(context: ProcessContext, argv: readonly string[]): Promise<number> {
    const program = await findProgram(context.container, argv[0] ?? "");
    return program({ ...context, argv: [...argv] });
  }

  async function entrypoint(context: ProcessContext): Promise<number> {
    const [, first = "node", ...rest] = context.argv;
    if (first.startsWith("-")) return node({ ...context, argv: ["node", first, ...rest] });
    const program = await findProgram(context.container, first).catch(() => undefined);
    const argv = program ? [first, ...rest] : ["node", first, ...rest];
    return (program ?? node)({ ...context, argv });
  }

  async function npm(context: ProcessContext): Promise<number> {
    const [, verb = "", ...rest] = context.argv.filter((word) => !/^(?:-s|--silent)$/.test(word));
    const name = verb === "run" || verb === "run-script" ? rest[0] : verb;
    const more = rest.slice(verb.startsWith("run") ? 1 : 0).filter((word) => word !== "--");
    const folder = host.folderOf(context.container);
    const path = toolPaths(folder).toHost(posix.join(context.cwd, "package.json"));
    const manifest = JSON.parse(readFileSync(path, "utf8")) as { scripts?: Record<string, string> };
    const script = manifest.scripts?.[name ?? ""];
    if (!script || !(verb.startsWith("run") || verb === "start")) {
      context.stderr(
        `npm: only "npm start" and "npm run <script>" are supported, for scripts in ${context.cwd}/package.json\n`,
      );
      return 1;
    }
    const { words, operator } = splitWords(script, (variable) => context.env[variable]);
    if (operator) {
      context.stderr(
        `npm: the script "${name}" has "${operator}", which needs a shell: start its command directly\n`,
      );
      return 1;
    }
    return npx({ ...context, argv: ["npx", ...words, ...more] });
  }

  async function npx(context: ProcessContext): Promise<number> {
    const [, command = "", ...rest] = context.argv.filter(
      (word) => !/^(?:-y|--yes|--no-install|--no)$/.test(word),
    );
    if (command === "node") return node({ ...context, argv: [command, ...rest] });
    return exec(context, [posix.join(context.cwd, "node_modules", ".bin", command), ...rest]);
  }

  function shell(context: ProcessContext): Promise<number> | undefined {
    const [, flag, script] = context.argv;
    if (flag !== "-c" || script === undefined) return undefined;
    const { words, operator } = splitWords(script, (name) => context.env[name]);
    const argv = words[0] === "exec" ? words.slice(1) : words;
    const isBuiltin = /^(?:cd|exit|set|export|echo|test|true|false|sleep|\[|:|\.)$|=/.test(argv[0] ?? "=");
    return operator || isBuiltin ? undefined : exec(context, argv);
  }

  function find(container: Container, path: string): Program | undefined {
    const { root } = host.folderOf(container);
    if (path.includes("/node_modules/.bin/")) return packageProgram(join(root, path), start);
    const script = readScript(join(root, path));
    if (!script || !/^#!.*\bnode(?:\s|$)/.test(script)) return undefined;
    return (context) => start(context, [path, ...context.argv.slice(1)]);
  }

  return { node, entrypoint, npm, npx, shell, find };
}

/**
 * Returns the `bin` of a package, which runs on Node. tsx would start a second Node, so its loader is
 * imported into this one.
 */
function packageProgram(
  path: string,
  start: (context: ProcessContext, args: readonly string[], childProcesses?: boolean) => Promise<number>,
): Program | undefined {
  const modules = dirname(dirname(path));
  const name = basename(path);
  try {
    const folder = realpathSync(join(modules, name));
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      bin?: string | Record<string, string>;
    };
    if (name === "tsx") {
      const loader = pathToFileURL(join(folder, "dist", "loader.mjs")).href;
      // Without this, esbuild starts threads, which have no fence.
      const env = { ESBUILD_WORKER_THREADS: "0" };
      return (context) =>
        start(
          { ...context, env: { ...env, ...context.env } },
          ["--import", loader, ...context.argv.slice(1)],
          true,
        );
    }
    const bin = typeof manifest.bin === "string" ? manifest.bin : manifest.bin?.[name];
    if (bin === undefined) return undefined;
    return (context) => start(context, ["--", join(folder, bin), ...context.argv.slice(1)]);
  } catch {
    return undefined;
  }
}

/** Returns the first bytes of an executable file. undefined: there is no such file. */
function readScript(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return readFileSync(path).subarray(0, 128).toString("latin1");
  } catch {
    return undefined;
  }
}
