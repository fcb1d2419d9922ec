// Runs a page for tests that interrupt or kill the run: `run-page-main.ts PAGE RUNS`.
import { verifyPages } from "../run/verify.ts";

const [path = "", parent = ""] = process.argv.slice(2);
const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
await verifyPages([path], {
  root: parent,
  parent,
  signal: interrupted.signal,
  reporter: { doing: (what) => void process.stdout.write(`${what}\n`) },
});
