import { terminalSurroundings } from "@operator-path/operator-sdk";
import { createOperator } from "./create-operator.ts";

const surroundings = await terminalSurroundings();
process.exitCode = surroundings ? await createOperator(process.argv.slice(2), surroundings) : 1;
