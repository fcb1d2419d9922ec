// Runs only the step mode, for tests: `stepwise-main.ts PAGE ATTEMPTS`.
import { outliveTerminal } from "../closed-terminal.ts";
import { interruptible } from "../interruptible.ts";
import { runStepwise } from "../start/run-stepwise.ts";

const [path = "", attempts = ""] = process.argv.slice(2);
outliveTerminal();
process.exitCode = await interruptible(async (signal) => {
  await runStepwise({ name: "page", path }, signal, attempts);
  return 0;
});
