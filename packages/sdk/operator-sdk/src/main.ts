import { runOperatorSdk } from "./command/program.ts";
import { terminalSurroundings } from "./command/terminal-surroundings.ts";

const surroundings = await terminalSurroundings();
process.exitCode = surroundings ? await runOperatorSdk(process.argv.slice(2), surroundings) : 1;
