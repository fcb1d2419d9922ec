import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startCloudProvider } from "./cloud-provider.ts";
import { createCluster } from "./create-cluster.ts";
import { type StandIns, standIns } from "./testing/stand-ins.ts";

let machine: StandIns;
beforeEach(async () => {
  machine = await standIns();
});
afterEach(() => machine[Symbol.asyncDispose]());

it("returns undefined without cloud-provider-kind on the PATH", async () => {
  expect(await startCloudProvider({ env: { ...machine.env, PATH: machine.folder } })).toBeUndefined();
});

it("runs until it is stopped, and removes its load balancers", async () => {
  const { env } = machine;
  await createCluster({ env, name: "dev" });
  await machine.write("containers/kindccm-old-1", "running");
  await machine.put(
    "cloud-provider-kind",
    'echo $$ > "$STAND_IN/pid"; echo "starting" >&2; exec sleep 600\n',
  );
  const lines: string[] = [];
  const provider = await startCloudProvider({ env, log: (line) => lines.push(line) });
  const pid = await vi.waitFor(async () => {
    expect(lines).toEqual(["starting"]);
    return Number(await machine.read("pid"));
  });
  await machine.write("containers/kindccm-dev-2", "running");
  await provider?.stop();
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(await machine.containers()).toEqual(["dev-control-plane", "dev-worker", "kindccm-old-1"]);
});
