import { type Command, Option } from "commander";
import { CommandError } from "../command-error.ts";

/** An option with a value that may be given once, and is checked when it is given. */
export function valueOption(
  flags: string,
  description: string,
  check: (value: string) => string = notEmpty,
): Option {
  const option = new Option(flags, description);
  return option.argParser((value: string, before: unknown) => {
    if (before !== undefined) throw new CommandError(`--${option.name()} is given twice: give it once`);
    if (value === "") throw new CommandError(`--${option.name()} is empty: leave it out, or say a value`);
    if (value.startsWith("-")) {
      throw new CommandError(`--${option.name()} has no value, ${value} follows: say ${flags}`);
    }
    return check(value);
  });
}

/**
 * Refuses a flag without a value that is given twice, which commander takes for once. `--resource=false` is
 * `--no-resource`, as flags of Go's are written.
 */
export function normalizeArguments(args: readonly string[], command: Command): string[] {
  const flags = switches(command);
  const seen = new Set<string>();
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const words = args.slice(0, end).flatMap((argument) => {
    const [, no = "", name = "", value] = /^--(no-)?([a-z-]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (!flags.has(name)) return [argument];
    if (seen.has(name)) throw new CommandError(`--${name} is given twice: give it once`);
    seen.add(name);
    if (value === undefined) return [argument];
    if (no !== "" || !["true", "false"].includes(value)) {
      throw new CommandError(
        `--${no}${name}=${JSON.stringify(value).slice(1, -1)}: say --${name}, or --${name}=false`,
      );
    }
    if (value === "true") return [`--${name}`];
    // Those that nobody can take back are off unless they are said.
    return flags.get(name) ? [`--no-${name}`] : [];
  });
  return [...words, ...args.slice(end)];
}

/** Flags without a value, of all commands, and whether there is `--no-…` of them. */
function switches(command: Command): Map<string, boolean> {
  const own = command.options.filter((option) => option.isBoolean() || option.negate);
  const found = new Map<string, boolean>();
  for (const option of own) {
    const name = option.name().replace(/^no-/, "");
    found.set(name, option.negate || found.get(name) === true);
  }
  return new Map([...found, ...command.commands.flatMap((each) => [...switches(each)])]);
}

/** A check for values that messages and other programs get: one line, nothing that a terminal obeys. */
export function checkLine(flag: string): (value: string) => string {
  return (value) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    if (!/[\u0000-\u001f\u007f]/.test(value)) return value;
    throw new CommandError(`${flag} ${JSON.stringify(value)} has control characters: leave them out`);
  };
}

function notEmpty(value: string): string {
  return value;
}
