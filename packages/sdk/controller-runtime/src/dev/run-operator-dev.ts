import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { dirname, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { styleText } from "node:util";
import { systemClock } from "@operator-path/client";
import { CommandLineError, type DevArguments, parseArguments, usage } from "./arguments.ts";
import { createChanges } from "./changes.ts";
import { nodeArguments } from "./node-arguments.ts";
import { type Ending, launchOperator } from "./operator-process.ts";
import { createPreservedListeners } from "./preserved-listeners.ts";
import { type StopSignals, stopSignals } from "./stop-signals.ts";
import { supervise } from "./supervise.ts";
import { syntaxErrorOf } from "./syntax-errors.ts";
import { createTypeCheck } from "./type-check.ts";
import { watchSources } from "./watch-sources.ts";

/** Milliseconds. Saves closer together than this cause one restart. */
const quiet = 50;

/**
 * Runs the program `operator-dev`. It writes its own messages to stderr and passes the operator's output
 * through.
 *
 * @param args the arguments without the program's name
 * @returns the exit code. 0: stopped in order. 2: invalid command line. 128 plus the signal's number: ended
 *   at once by a second signal. Otherwise the operator's exit code, or 1.
 */
export async function runOperatorDev(args: readonly string[]): Promise<number> {
  try {
    const parsed = parseArguments(args);
    if (!parsed.help) return await run(parsed);
    process.stdout.write(usage);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    process.stderr.write(`operator-dev: ${error.message}; operator-dev --help lists the options\n`);
    return 2;
  }
}

async function run({ main, rest, watch, grace, ahead, inspect }: DevArguments): Promise<number> {
  for (const path of [main, ...watch]) {
    if (!existsSync(path)) throw new CommandLineError(`${path} does not exist in ${process.cwd()}`);
  }
  const mainPath = realpathSync(main);
  if (inspect !== undefined) await assertFree(inspect);
  // The operator's own modules are not loaded ahead: a save changes them, and loading runs them.
  const folder = dirname(findPackageJSON(pathToFileURL(mainPath)) ?? mainPath);
  const watched = [
    dirname(mainPath),
    ...[...watch, ...(existsSync(".env") ? [".env"] : [])].map((each) => realpathSync(each)),
  ];
  const nodeArgs = nodeArguments(mainPath);
  const changes = createChanges({ clock: systemClock, quiet });
  const listeners = createPreservedListeners();
  const types = createTypeCheck(folder, say);
  const signals = stopSignals(say);
  const sources = await watchSources(watched, { onSave: changes.note, say });
  const enter = () => changes.ask();
  const { stdin } = process;
  if (stdin.isTTY) stdin.on("data", enter);
  const nameOf = (path: string) => relative(process.cwd(), path) || ".";
  say(
    `${main}${nodeArgs.some((each) => each.includes("tsx")) ? " on tsx" : ""}, watching ${watched.map(nameOf).join(", ")} and each file that it loads`,
  );
  if (hasClusterView(mainPath))
    say(`the cluster and each reconcile in the browser: npx operator-path ui -- npx operator-dev ${main}`);
  const identity = `${hostname()}_operator-dev_${randomUUID()}`;
  try {
    const ending = await supervise({
      launch: (own) =>
        launchOperator({
          ...own,
          ...{ nodeArguments: nodeArgs, arguments: [main, ...rest], identity, folder, listeners },
          ...{ clock: systemClock, onLoading: sources.add, ...(inspect && { inspect }) },
        }),
      ...{ changes, listeners, ahead, grace, main, nameOf, say, clock: systemClock },
      syntaxErrorOf: (path) => syntaxErrorOf(path, nameOf(path)),
      checkTypes: types.begin,
      ...{ stop: signals.stop, hurry: signals.hurry },
    });
    return exitCode(ending, signals);
  } finally {
    types.close();
    signals.close();
    if (stdin.isTTY) stdin.off("data", enter).pause();
    await sources.close();
  }
}

/** If its inspector cannot listen, Node only prints a warning. The debugger would attach to the other process. */
async function assertFree(port: number): Promise<void> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw new CommandLineError(`--inspect ${port}: ${error.message}`);
    throw new CommandLineError(`--inspect ${port}: another process uses this port; choose another one`);
  });
  server.close();
  await once(server, "close");
}

/** Reports whether the project has the program `operator-path`, and does not run below its view already. */
function hasClusterView(main: string): boolean {
  if (process.env.OPERATOR_PATH_UI !== undefined) return false;
  try {
    createRequire(main).resolve("@operator-path/cluster/package.json");
    return true;
  } catch {
    return false;
  }
}

function exitCode({ code, late }: Ending, { hurriedBy }: StopSignals): number {
  const by = hurriedBy();
  if (by !== undefined) return 128 + by;
  return late ? 1 : (code ?? 0);
}

function say(text: string): void {
  const prefix = styleText("cyan", "[dev]", { stream: process.stderr });
  process.stderr.write(`${prefix} ${text}\n`);
}
