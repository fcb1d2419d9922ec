// A separate process for tests: node candidate-process.ts <kubeconfig> <identity> <durations as JSON>. It
// prints one line with a time for each event. "block <milliseconds>" on its stdin blocks its event loop.
import { createInterface } from "node:readline";
import { createClient, KubeConfig } from "@operator-path/client";
import { createLeaderElector } from "../leader-elector.ts";
import { untilAborted } from "./candidates.ts";

const [kubeconfig = "", identity = "", durations = "{}"] = process.argv.slice(2);
const say = (what: string) => console.log(`${Date.now()} ${what}`);

const kubeConfig = new KubeConfig();
kubeConfig.loadFromFile(kubeconfig);
const client = createClient(kubeConfig);
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());

const elector = createLeaderElector(client, {
  lease: { namespace: "default", name: "web" },
  identity,
  ...JSON.parse(durations),
  log: (line) => say(`log ${line}`),
});

const input = createInterface({ input: process.stdin });
let signal: AbortSignal | undefined;
input.on("line", (line) => {
  say("blocked");
  // Sleep instead of spinning, so that other processes get the core.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(line.split(" ")[1]));
  // This is still the same callback, so no timer can have run.
  say(`asked isLeader=${elector.isLeader()} aborted=${signal?.aborted}`);
});

try {
  await elector.run(async (given) => {
    signal = given;
    say("leading");
    const acting = setInterval(() => {
      if (!given.aborted) say("acted");
    }, 20);
    await untilAborted(given);
    clearInterval(acting);
    say("stopped");
  }, stop.signal);
} catch (error) {
  say(`lost ${(error as Error).name}`);
  process.exitCode = 1;
} finally {
  input.close();
  await client.close();
}
