import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { conditionsOf, longTimeout, messageOf, patiently, startHelmBench } from "./testing/bench.ts";
import { webChart } from "./testing/charts.ts";

const revisionsOf = (history: { revision: number; status: string }[]) =>
  history.map(({ revision, status }) => `${revision} ${status}`);

test(
  "rolls back a failed upgrade once, and does not repeat it until something changes",
  async () => {
    const bench = await startHelmBench();
    const { processes } = await bench.operator();
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    const before = processes.length;

    // The selector of a Deployment is immutable, and no dry run of helm's reports that.
    await bench.change("shop", { label: "another", replicas: 2 });
    await patiently(async () => {
      const shop = await bench.get("shop");
      expect(messageOf(shop, "ReleaseFailed")).toContain("not tried again");
      expect(conditionsOf(shop)).toEqual(expect.arrayContaining(["Deployed=True", "ReleaseFailed=True"]));
    });
    expect(messageOf(await bench.get("shop"), "ReleaseFailed")).toContain("immutable");
    expect(revisionsOf(await bench.history("shop"))).toEqual(["3 deployed", "2 failed", "1 superseded"]);
    expect(processes.slice(before)).toEqual(["dry run", "upgrade", "rollback"]);
    expect((await bench.deployment("shop")).spec?.replicas).toBe(1);

    // The deployed revision is still repaired.
    await bench.scale("shop", 5);
    await patiently(async () => expect((await bench.deployment("shop")).spec?.replicas).toBe(1));
    expect(processes.slice(before)).toEqual(["dry run", "upgrade", "rollback"]);

    await bench.change("shop", { label: "web" });
    await patiently(async () => expect((await bench.deployment("shop")).spec?.replicas).toBe(2));
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop"))).toContain("ReleaseFailed=False"),
    );
  },
  longTimeout,
);

test(
  "changes nothing when the chart cannot be rendered",
  async () => {
    const bench = await startHelmBench();
    const { processes, writes } = await bench.operator({ retryDelays: tomorrow });
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    const [processesBefore, writesBefore] = [processes.length, writes().length];

    await bench.change("shop", { refuse: true, replicas: 3 });
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop"))).toContain("Irreconcilable=True"),
    );
    const message = messageOf(await bench.get("shop"), "Irreconcilable");
    expect(message).toContain("no such colour: octarine");
    expect(message).toContain("deployment.yaml:1");
    expect(processes.slice(processesBefore)).toEqual(["dry run"]);
    const about = writes()
      .slice(writesBefore)
      .filter((write) => !write.startsWith("patch webs/status"));
    // The owner reference of the installed objects may be written later.
    expect(about.filter((write) => !/^patch (deployments|configmaps) shop$/.test(write))).toEqual([]);
    expect(revisionsOf(await bench.history("shop"))).toEqual(["1 deployed"]);
    expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True");
  },
  longTimeout,
);

test(
  "rejects a release that does not fit a Secret, and writes nothing",
  async () => {
    const bench = await startHelmBench();
    // gzip cannot shrink this.
    const noise = randomBytes(900_000).toString("base64");
    const { processes, writes } = await bench.operator({ files: { ...webChart, "noise.txt": noise } });
    await bench.create("shop");
    await patiently(async () =>
      expect(messageOf(await bench.get("shop"), "Irreconcilable")).toMatch(/would take \d+ KiB/),
    );
    expect(new Set(processes)).toEqual(new Set(["version", "dry run"]));
    expect(writes().filter((write) => !/ webs(\/status)? /.test(write))).toEqual([]);
    expect(await bench.history("shop")).toEqual([]);
  },
  longTimeout,
);

/** No retries: only changes lead to further operations. */
const tomorrow = { base: 86_400_000, max: 86_400_000 };
