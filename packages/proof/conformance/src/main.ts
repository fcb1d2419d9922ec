/** `pnpm proof conformance`: exit status 1 on an unexplained difference. */
import { Command } from "commander";
import { conformance } from "./conformance.ts";

const program = new Command("proof").description(
  "Proves that the embedded API server answers like a real one.",
);

program
  .command("conformance")
  .description("send the same requests to the embedded API server and a real one, and compare the answers")
  .option("--area <area>", "only scripts of this area")
  .option("--only <text>", "only scripts whose name contains this text")
  .option("--recorded", "compare with recorded answers, without a real server")
  .option("--record", "record the real server's answers")
  .option("--report <folder>", "write conformance.md and conformance.json there")
  .action(async (options: Parameters<typeof conformance>[0]) => {
    process.exitCode = await conformance(options, (line) => console.log(line));
  });

await program.parseAsync();
