import { type Command, Option } from "commander";
import { CommandError } from "../command-error.ts";

/** Returns an option with a value. Rejects a second, empty or invalid value. */
export function valueOption(
  flags: string,
  description: string,
  check: (value: string) => string = notEmpty,
): Option {
  const option = new Option(flags, description);
  return option.argParser((value: string, before: unknown) => {
    if (before !== undefined) throw new CommandError(`--${option.name()} is given twice: give it once`);
    if (value === "") throw new CommandError(`--${option.name()} is empty: add a value, or remove the flag`);
    if (value.startsWith("-")) {
      throw new CommandError(`--${option.name()} has no value before ${value}: write ${flags}`);
    }
    return check(value);
  });
}

/**
 * Returns the arguments in commander's form. Translates `--resource=false`, the form of Go's flags, to
 * `--no-resource`.
 *
 * @throws CommandError for a flag without a value that is given twice, which commander would accept
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
        `--${no}${name}=${JSON.stringify(value).slice(1, -1)}: write --${name} or --${name}=false`,
      );
    }
    if (value === "true") return [`--${name}`];
    // A flag without a negated form is off by default.
    return flags.get(name) ? [`--no-${name}`] : [];
  });
  return [...words, ...args.slice(end)];
}

/** Returns the flags without a value of all commands, and whether each one has a negated form (`--no-…`). */
function switches(command: Command): Map<string, boolean> {
  const own = command.options.filter((option) => option.isBoolean() || option.negate);
  const found = new Map<string, boolean>();
  for (const option of own) {
    const name = option.name().replace(/^no-/, "");
    found.set(name, option.negate || found.get(name) === true);
  }
  return new Map([...found, ...command.commands.flatMap((each) => [...switches(each)])]);
}

/** Returns a check that rejects control characters. Messages and other programs receive these values. */
export function checkLine(flag: string): (value: string) => string {
  return (value) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the check looks for them
    if (!/[\u0000-\u001f\u007f]/.test(value)) return value;
    throw new CommandError(`${flag} ${JSON.stringify(value)} has control characters: remove them`);
  };
}

function notEmpty(value: string): string {
  return value;
}
