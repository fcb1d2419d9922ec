/** `pnpm run doctor`: what this machine has and lacks for the pages, and the commands that mend it. */
import {
  detectSystem,
  examine,
  families,
  type Goal,
  goals,
  missingFor,
  report,
  systemOf,
  thisMachine,
} from "@operator-path/doctor";
import { Command, InvalidArgumentError, Option } from "commander";

interface Flags {
  readonly for: Goal;
  readonly json?: boolean;
  readonly patience?: number;
  readonly platform?: (typeof families)[number];
}

const program = new Command("doctor")
  .description("What this machine has and lacks for the pages, and the commands that mend it.")
  .addOption(
    new Option("--for <cluster>", "where the pages are to run; exits with 1 if something is missing for that")
      .choices(goals)
      .default("embedded"),
  )
  .option("--json", "the findings as JSON")
  .addOption(new Option("--platform <platform>", "show the commands for another system").choices(families))
  .option("--patience <seconds>", "how long a program may take to answer (default: 4, an engine 10)", seconds)
  .showHelpAfterError(false)
  .action(run);

await program.parseAsync();

async function run(flags: Flags): Promise<void> {
  const patience = flags.patience && flags.patience * 1000;
  const machine = { ...thisMachine(), ...(patience && { patience, enginePatience: patience }) };
  const system = flags.platform ? systemOf(flags.platform) : await detectSystem(machine);
  const findings = await examine(machine, { system });
  const { stdout } = process;
  const text = flags.json
    ? `${JSON.stringify({ for: flags.for, system, findings }, undefined, 2)}\n`
    : report(findings, {
        goal: flags.for,
        width: stdout.columns ?? 100,
        color: stdout.isTTY && stdout.hasColors(),
      });
  stdout.write(text);
  if (missingFor(findings, flags.for).length > 0) process.exitCode = 1;
}

function seconds(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 600) return value;
  throw new InvalidArgumentError("Seconds are a number above 0, and 600 at most.");
}
