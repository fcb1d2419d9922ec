import { parseArgs } from "node:util";

/** The command line of `operator-dev`. */
export interface DevArguments {
  help: boolean;
  main: string;
  /** The arguments of the operator. */
  rest: string[];
  watch: string[];
  /** Milliseconds. */
  grace: number;
  ahead: boolean;
  /** The port where a debugger can attach to the operator. */
  inspect?: number;
}

/** An invalid command line. The message is shown to the user. */
export class CommandLineError extends Error {}

export const usage = `operator-dev runs an operator and restarts it after each save.

  operator-dev [options] <main file> [arguments of the operator]

  --watch <path>     also restart when this file, or a file in this folder, is saved (repeatable)
  --grace <seconds>  time for the operator to end before it is killed (default 10)
  --inspect <port>   let a debugger attach to the running operator, on 127.0.0.1
  --no-ahead         do not keep a second process ready that has loaded all packages
  --help             show this help

It watches the folder of the main file, and what the operator imports from linked packages. The operator runs on tsx if
the project's package.json lists it, otherwise on Node alone. Set Node's own options in NODE_OPTIONS. Enter restarts the
operator, Ctrl+C stops it, and a second Ctrl+C ends it at once. Type errors do not stop the operator: if the project has
a tsconfig.json and TypeScript, they are shown after each start.
`;

/** @throws CommandLineError when the command line is invalid */
export function parseArguments(args: readonly string[]): DevArguments {
  const options = {
    watch: { type: "string", multiple: true },
    grace: { type: "string" },
    "no-ahead": { type: "boolean" },
    inspect: { type: "string" },
    help: { type: "boolean", short: "h" },
  } as const;
  // The main file is the first word that is neither an option nor its value. Everything after it belongs to
  // the operator.
  const { tokens } = parseArgs({
    ...{ args: [...args], options, tokens: true, strict: false, allowPositionals: true },
  });
  const at = tokens.find(({ kind }) => kind === "positional")?.index ?? args.length;
  try {
    const { values } = parseArgs({ args: args.slice(0, at), options });
    const grace = Number(values.grace ?? "10");
    if (!(grace >= 0 && Number.isFinite(grace))) {
      throw new CommandLineError(
        `--grace ${values.grace} is not a number of seconds: set a number of at least 0`,
      );
    }
    const inspect = values.inspect === undefined ? undefined : Number(values.inspect);
    if (inspect !== undefined && !(Number.isInteger(inspect) && inspect > 0 && inspect < 65_536)) {
      throw new CommandLineError(`--inspect ${values.inspect} is not a port: set a number from 1 to 65535`);
    }
    const { watch = [], help = false, "no-ahead": cold = false } = values;
    const [main = "", ...rest] = args.slice(at);
    if (!main && !help) throw new CommandLineError("the main file is missing");
    return { help, main, rest, watch, grace: grace * 1000, ahead: !cold, ...(inspect && { inspect }) };
  } catch (error) {
    if (error instanceof CommandLineError || !(error instanceof Error)) throw error;
    throw new CommandLineError(error.message.split(". ")[0] ?? error.message);
  }
}
