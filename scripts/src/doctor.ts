/** `pnpm run doctor`: what is there, in which version, and what is missing. Exits with 1 if something is. */
import { examine } from "./examine.ts";

const marks = { ok: "✓", missing: "✗", note: "·" };
const findings = await examine();
for (const { subject, verdict, words } of findings)
  console.log(`${marks[verdict]} ${subject.padEnd(13)}${words}`);
if (findings.some(({ verdict }) => verdict === "missing")) process.exitCode = 1;
