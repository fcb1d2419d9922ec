import { expect, test } from "vitest";
import { startTestCluster } from "../testing-cluster/start-test-cluster.ts";
import { readCapstone } from "./capstone.ts";
import { createScene } from "./scene.ts";
import { createShopProject } from "./testing/shop-project.ts";

test("repeats a complaint about an operator at once, until another one runs", async () => {
  await using project = await createShopProject({ mistake: "creates nothing" });
  await using cluster = await startTestCluster({ provider: "embedded" });
  const { folder } = project;
  const scene = createScene({ folder, capstone: await readCapstone(folder), cluster, patience: 100 });
  try {
    await scene.start();
    let looks = 0;
    const look = async (): Promise<string> => `look ${++looks}`;
    const first = await scene.reach(look).catch((error: Error) => error.message);
    expect(first).toBe(`look ${looks}\nThe checklist waited 0.1 s for this to change.`);
    await expect(scene.reach(look)).rejects.toThrow(first as string);
    await scene.stop();
    await scene.start();
    await expect(scene.reach(async () => undefined)).resolves.toBeUndefined();
  } finally {
    await scene.stop();
  }
});

test("names the operator's last error, if it is of this milestone", async () => {
  const run = `node -e 'console.error("Error: it broke"); setInterval(() => {}, 1000)'`;
  await using project = await createShopProject({ replace: { RUN: JSON.stringify(run) } });
  await using cluster = await startTestCluster({ provider: "embedded" });
  const { folder } = project;
  const scene = createScene({ folder, capstone: await readCapstone(folder), cluster, patience: 100 });
  try {
    await scene.start();
    await expect.poll(() => scene.lastError()).toBe("Error: it broke");
    await expect(scene.until(async () => "no")).rejects.toThrow("The operator's last error: Error: it broke");
    scene.begin();
    await expect(scene.until(async () => "no")).rejects.toThrow(/for this to change\.$/);
  } finally {
    await scene.stop();
  }
});
