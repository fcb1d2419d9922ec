import { afterEach, beforeEach, expect, it } from "vitest";
import { buildNodeImage } from "./build-node-image.ts";
import type { KindEvent } from "./progress.ts";
import { type StandIns, standIns } from "./testing/stand-ins.ts";

let machine: StandIns;
beforeEach(async () => {
  machine = await standIns();
});
afterEach(() => machine[Symbol.asyncDispose]());

const version = '[ "$1" = --version ] && echo "kind version 0.33.0" && exit\n';

it("has kind build an image of a version, and reports its output", async () => {
  await machine.put("kind", `${version}echo "Building using release \\"v1.36.4\\" artifacts" >&2\n`);
  const events: KindEvent[] = [];
  const image = await buildNodeImage({
    env: machine.env,
    source: "v1.36.4",
    type: "release",
    image: "mine/node:v1.36.4",
    baseImage: "mine/base:1",
    arch: "arm64",
    onProgress: (event) => events.push(event),
  });
  expect(image).toBe("mine/node:v1.36.4");
  expect(events).toEqual([{ type: "note", text: 'Building using release "v1.36.4" artifacts' }]);
  expect((await machine.calls()).at(-1)).toBe(
    "kind build node-image v1.36.4 --image mine/node:v1.36.4 --type release --base-image mine/base:1 --arch arm64",
  );
});

it("reports why it fails", async () => {
  const words = "ERROR: error building node image: failed to build kubernetes: no space left on device";
  await machine.put("kind", `${version}echo "${words}" >&2; exit 1\n`);
  await expect(buildNodeImage({ env: machine.env, source: "/nowhere" })).rejects.toMatchObject({
    problem: "disk-full",
    what: "the node image kindest/node:latest was not built",
  });
});
