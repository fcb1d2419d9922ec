/** `pnpm proof conformance`: exit status 1 on a difference that nobody has explained. */
import { Command } from "commander";
import { conformance } from "./conformance.ts";

const program = new Command("proof").description("Proves that the embedded cluster tells the truth.");

program
  .command("conformance")
  .description("play requests against the embedded API server and a real one, and compare the answers")
  .option("--area <area>", "only scripts of this area")
  .option("--only <text>", "only scripts whose name has this in it")
  .option("--recorded", "compare with recorded answers, also where a real server could be started")
  .option("--record", "write down what the real server answers")
  .option("--report <folder>", "write conformance.md and conformance.json there")
  .action(async (options: Parameters<typeof conformance>[0]) => {
    process.exitCode = await conformance(options, (line) => console.log(line));
  });

await program.parseAsync();
