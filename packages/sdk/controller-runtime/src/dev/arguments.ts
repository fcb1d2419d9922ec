import { parseArgs } from "node:util";

/** What `operator-dev` was told on its command line. */
export interface DevArguments {
  help: boolean;
  main: string;
  /** The operator's own. */
  rest: string[];
  watch: string[];
  /** Milliseconds. */
  grace: number;
  ahead: boolean;
  /** Where a debugger finds the operator. */
  inspect?: number;
}

/** What is wrong with the command line, for people. */
export class CommandLineError extends Error {}

export const usage = `operator-dev runs an operator, and runs it again after each save.

  operator-dev [options] <main file> [arguments of the operator]

  --watch <path>     restart also when this file, or something in this folder, is saved (repeatable)
  --grace <seconds>  how long the operator has to end in before it is killed (default 10)
  --inspect <port>   let a debugger attach to the operator that runs, on 127.0.0.1
  --no-ahead         keep no second process ready, with everything loaded but the operator's own modules
  --help             this

The folder of the main file is watched, and what the operator imports from linked packages. With tsx in the project's
package.json the operator runs on tsx, otherwise on Node alone; Node's own options are given to it by NODE_OPTIONS.
Enter restarts, Ctrl+C ends it, a second one at once. Types are not checked: run tsc --watch beside it.
`;

/** @throws CommandLineError */
export function parseArguments(args: readonly string[]): DevArguments {
  const options = {
    watch: { type: "string", multiple: true },
    grace: { type: "string" },
    "no-ahead": { type: "boolean" },
    inspect: { type: "string" },
    help: { type: "boolean", short: "h" },
  } as const;
  // Everything after the main file is the operator's: the first word that is neither an option nor its value.
  const { tokens } = parseArgs({
    ...{ args: [...args], options, tokens: true, strict: false, allowPositionals: true },
  });
  const at = tokens.find(({ kind }) => kind === "positional")?.index ?? args.length;
  try {
    const { values } = parseArgs({ args: args.slice(0, at), options });
    const grace = Number(values.grace ?? "10");
    if (!(grace >= 0 && Number.isFinite(grace))) {
      throw new CommandLineError(`--grace ${values.grace} is not a number of seconds`);
    }
    const inspect = values.inspect === undefined ? undefined : Number(values.inspect);
    if (inspect !== undefined && !(Number.isInteger(inspect) && inspect > 0 && inspect < 65_536)) {
      throw new CommandLineError(`--inspect ${values.inspect} is not a port`);
    }
    const { watch = [], help = false, "no-ahead": cold = false } = values;
    const [main = "", ...rest] = args.slice(at);
    if (!main && !help) throw new CommandLineError("no main file is given");
    return { help, main, rest, watch, grace: grace * 1000, ahead: !cold, ...(inspect && { inspect }) };
  } catch (error) {
    if (error instanceof CommandLineError || !(error instanceof Error)) throw error;
    throw new CommandLineError(error.message.split(". ")[0] ?? error.message);
  }
}
