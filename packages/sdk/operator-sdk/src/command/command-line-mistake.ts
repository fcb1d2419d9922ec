import type { Command, CommanderError } from "commander";
import { oneLine } from "../command-error.ts";

/** Returns commander's error in one line, with what to do. */
export function explainMistake(error: CommanderError, program: Command, args: readonly string[]): string {
  const { command, path, rest } = findCommand(program, args);
  const names = command.commands.map((each) => each.name());
  const message = oneLine(error.message.replace(/^error: /, ""));
  switch (error.code) {
    case "commander.help":
      if (rest[0] !== undefined) return `unknown command '${rest[0]}': the commands are ${names.join(", ")}`;
      return `${path} needs a command: ${names.join(", ")}`;
    case "commander.unknownCommand":
      return message.includes("Did you mean") ? message : `${message}: the commands are ${names.join(", ")}`;
    case "commander.unknownOption":
      return message.includes("Did you mean") ? message : `${message}: ${path} --help lists the options`;
    case "commander.optionMissingArgument": {
      const [, flags = ""] = /^option '([^']+)'/.exec(message) ?? [];
      return `${flags.split(" ")[0]} has no value: write ${flags}`;
    }
    case "commander.missingArgument":
      return `${message}: ${path} --help describes it`;
    case "commander.excessArguments": {
      const [, words = ""] = /but got \d+: (.*)\.$/.exec(message) ?? [];
      return `${path} has unexpected arguments: ${words}; ${path} --help lists the options`;
    }
    default:
      return message;
  }
}

/** Returns the command that `args` name, its full name, and the remaining arguments. */
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
