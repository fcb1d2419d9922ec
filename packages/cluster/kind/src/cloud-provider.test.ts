import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startCloudProvider } from "./cloud-provider.ts";
import { createCluster } from "./create-cluster.ts";
import { type StandIns, standIns } from "./testing/stand-ins.ts";

let machine: StandIns;
beforeEach(async () => {
  machine = await standIns();
});
afterEach(() => machine[Symbol.asyncDispose]());

it("is not there where no cloud-provider-kind is on the PATH", async () => {
  expect(await startCloudProvider({ env: { ...machine.env, PATH: machine.folder } })).toBeUndefined();
});

it("runs until it is stopped, and takes its load balancers with it", async () => {
  const { env } = machine;
  await createCluster({ env, name: "dev" });
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
  await provider?.stop();
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  const removed = (await machine.calls()).filter((call) =>
    /^docker ps .*cloud-provider-kind.cluster=dev/.test(call),
  );
  expect(removed).toHaveLength(1);
});
