/** `pnpm bench startup`. Figures are printed, never asserted: they belong to the machine that they were seen on. */
import { Command, InvalidArgumentError } from "commander";
import { benchStartup } from "./startup.ts";

const program = new Command("bench").description("Measures what the documentation states, beside its peers.");

program
  .command("startup")
  .description("how long until the first request is answered")
  .option("--runs <number>", "how often each is measured", positive, 5)
  .action(({ runs }: { runs: number }) =>
    benchStartup({ runs, env: process.env, print: (line) => console.log(line) }),
  );

await program.parseAsync();

function positive(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("A positive whole number is needed.");
}
