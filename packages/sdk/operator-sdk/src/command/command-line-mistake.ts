import type { Command, CommanderError } from "commander";
import { oneLine } from "../one-line.ts";

/** What commander finds wrong with a command line, in one line with the way out. */
export function explainMistake(error: CommanderError, program: Command, args: readonly string[]): string {
  const { command, path, rest } = findCommand(program, args);
  const names = command.commands.map((each) => each.name());
  const message = oneLine(error.message.replace(/^error: /, ""));
  switch (error.code) {
    case "commander.help":
      if (rest[0] !== undefined) return `unknown command '${rest[0]}': there are ${names.join(", ")}`;
      return `${path} is not all: there are ${names.join(", ")}`;
    case "commander.unknownCommand":
      return message.includes("Did you mean") ? message : `${message}: there are ${names.join(", ")}`;
    case "commander.unknownOption":
      return message.includes("Did you mean") ? message : `${message}: ${path} --help says which there are`;
    case "commander.optionMissingArgument": {
      const [, flags = ""] = /^option '([^']+)'/.exec(message) ?? [];
      return `${flags.split(" ")[0]} has no value: say ${flags}`;
    }
    case "commander.missingArgument":
      return `${message}: ${path} --help says what it is`;
    case "commander.excessArguments": {
      const [, words = ""] = /but got \d+: (.*)\.$/.exec(message) ?? [];
      return `${path} does not take so many words: ${words}; ${path} --help says what there is`;
    }
    default:
      return message;
  }
}

/** The command that `args` are for, how it is called, and what is said beyond it. */
function findCommand(program: Command, args: readonly string[]) {
  let command = program;
  let path = program.name();
  const rest = args.filter((word) => word !== "help" && word !== "--");
  for (const word of [...rest]) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) break;
    command = next;
    path += ` ${word}`;
    rest.shift();
  }
  return { command, path, rest };
}
