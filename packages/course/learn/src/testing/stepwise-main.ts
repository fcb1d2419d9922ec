// A learner's step mode alone, for tests: `stepwise-main.ts PAGE KEPT`.
import { outliveTerminal } from "../closed-terminal.ts";
import { interruptible } from "../interruptible.ts";
import { runStepwise } from "../start/run-stepwise.ts";

const [path = "", kept = ""] = process.argv.slice(2);
outliveTerminal();
process.exitCode = await interruptible(async (signal) => {
  await runStepwise({ name: "page", path }, signal, kept);
  return 0;
});
