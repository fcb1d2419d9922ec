/** `pnpm run doctor`: checks this machine for what the pages need, and prints the commands that fix what is missing. */
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
  .description(
    "Checks this machine for what the pages need, and prints the commands that fix what is missing.",
  )
  .addOption(
    new Option("--for <cluster>", "where the pages will run; exits with 1 if something it needs is missing")
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
  throw new InvalidArgumentError("Seconds must be a number above 0, at most 600.");
}
