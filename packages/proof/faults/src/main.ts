/** `pnpm proof faults`: exit status 1 when a history breaks a promise. */
import { createProgram } from "./command.ts";

await createProgram().parseAsync();
