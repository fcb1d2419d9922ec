import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, startEmbeddedCluster } from "@operator-path/cluster";
import { expect, onTestFinished, test } from "vitest";
import { formatReport } from "../report/terminal.ts";
import { temporaryPage } from "../testing/temporary-page.ts";

/**
 * Returns a cluster whose Pods are containers, and an engine that has busybox. `pushed` returns the images
 * that its nodes received.
 */
async function clusterOfContainers(): Promise<{ cluster: Cluster; pushed(): string }> {
  const folder = mkdtempSync(join(tmpdir(), "images-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [tool, log] = [join(folder, "tool"), join(folder, "pushed")];
  writeFileSync(log, "");
  writeFileSync(
    tool,
    `#!/bin/sh
case "$1 $2 $3" in
  "image inspect busybox") ;;
  push*) echo "$2" >> ${log} ;;
  *) echo "No such image: $3" >&2; exit 1 ;;
esac
`,
  );
  chmodSync(tool, 0o755);
  const embedded = await startEmbeddedCluster({ name: "images" });
  onTestFinished(() => embedded.stop());
  const images = { tool, env: {}, programs: new Map(), containers: true };
  return { cluster: { ...embedded, images }, pushed: () => readFileSync(log, "utf8") };
}

test("loads the engine's images, and notes the others before the first step", async () => {
  const { cluster, pushed } = await clusterOfContainers();
  for (const { images, notes } of [
    { images: "busybox", notes: [] },
    { images: "busybox, nginx:1", notes: ["nginx:1 is not in the engine: the nodes pull it"] },
    { images: "nginx:1, toy:2", notes: ["nginx:1, toy:2 are not in the engine: the nodes pull them"] },
  ]) {
    using tutorial = temporaryPage("## S\n~~~console\n$ true\n~~~\n", {
      front: `requires: [kubectl]\nimages: [${images}]\n`,
    });
    const seen: string[] = [];
    const report = await tutorial.run({
      cluster,
      reporter: { note: (text) => seen.push(text), stepStarted: () => seen.push("the step") },
    });
    expect(report.difference).toBeUndefined();
    expect(seen).toEqual([...notes, "the step"]);
  }
  expect(pushed()).toBe("busybox\nbusybox\n");
});

test("names the image and the Pod of images that nodes cannot pull, also of ephemeral containers", async () => {
  const { cluster } = await clusterOfContainers();
  using tutorial = temporaryPage(
    `## S
~~~console
$ kubectl run web --image=registry.example.com/nope:1
pod/web created
$ kubectl run fine --image=nginx
pod/fine created
$ kubectl wait --for=condition=Ready pod/fine
pod/fine condition met
$ kubectl debug fine --image=registry.example.com/tool:2 --container=debugger
$ kubectl get pod web -o jsonpath='{.status.containerStatuses[0].state.waiting.reason}'
ImagePullBackOff
$ kubectl get pod fine -o jsonpath='{.status.ephemeralContainerStatuses[0].state.waiting.reason}'
ImagePullBackOff
$ false
~~~
## Clean up
~~~console
$ kubectl delete pod web fine --now >/dev/null
~~~
`,
    { front: "requires: [kubectl]\n" },
  );
  const report = await tutorial.run({ cluster });
  expect(report.passed).toBe(false);
  const text = formatReport(report);
  expect(text).toContain("exit status 1");
  // A node that tries again reports ErrImagePull for a moment.
  const why = "(?:ErrImagePull|ImagePullBackOff)";
  expect(text).toMatch(
    new RegExp(`images that the nodes cannot pull:
  default/fine  registry\\.example\\.com/tool:2  ${why}
  default/web  registry\\.example\\.com/nope:1  ${why}
`),
  );
});
