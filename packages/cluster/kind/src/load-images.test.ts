import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fullName, loadDockerImages, loadImageArchive } from "./load-images.ts";
import { type StandIns, standIns } from "./testing/stand-ins.ts";

let machine: StandIns;
beforeEach(async () => {
  machine = await standIns();
});
afterEach(() => machine[Symbol.asyncDispose]());

it.each([
  ["payment", "docker.io/library/payment:latest"],
  ["payment:1.0.0", "docker.io/library/payment:1.0.0"],
  ["me/payment:1.0.0", "docker.io/me/payment:1.0.0"],
  ["localhost/payment:1.0.0", "localhost/payment:1.0.0"],
  ["localhost:5001/payment", "localhost:5001/payment:latest"],
  ["gcr.io/distroless/nodejs24-debian13", "gcr.io/distroless/nodejs24-debian13:latest"],
])("containerd calls %s %s", (image, name) => {
  expect(fullName(image)).toBe(name);
});

it("has kind load docker's images", async () => {
  await machine.put("kind", kindThat('[ "$2" = docker-image ]'));
  await loadDockerImages(["payment:1.0.0"], { env: machine.env, name: "dev", nodes: ["dev-worker"] });
  expect((await machine.calls()).at(-1)).toBe(
    "kind load docker-image payment:1.0.0 --name dev --nodes dev-worker",
  );
});

it("saves one platform of an image if docker's store would save the index of all", async () => {
  const broken = 'echo "ERROR: ctr: content digest sha256:4f: not found" >&2; exit 1';
  await machine.put("kind", kindThat(`[ "$2" = image-archive ] && [ -e "$3" ] || { ${broken}; }`));
  await machine.put("docker", `${engine}case "$1" in image) echo linux/arm64 ;; save) touch "$5" ;; esac\n`);
  await loadDockerImages(["nginx:1.27"], { env: { ...machine.env, TMPDIR: machine.folder }, name: "dev" });
  const calls = await machine.calls();
  expect(calls.find((call) => call.startsWith("docker save"))).toMatch(
    /^docker save --platform linux\/arm64 --output \S+ nginx:1.27$/,
  );
  expect(calls.at(-1)).toMatch(/^kind load image-archive \S+ --name dev$/);
});

it.each([
  ["is unused", "exit 1", "podman untag docker.io/library/payment:1.0.0 docker.io/library/payment:1.0.0"],
  ["is another image's", "echo another", "podman tag another docker.io/library/payment:1.0.0"],
])(
  "saves podman's images under the name that a Pod requests, which afterwards %s as before",
  async (_, named, back) => {
    await machine.put("kind", kindThat('[ "$2" = image-archive ] && [ -e "$3" ]'));
    const info = 'echo \'{"version":{"Version":"5.4.0"},"host":{}}\'';
    const inspect = `case "$5" in docker.io/*) ${named} ;; *) echo own ;; esac`;
    await machine.put(
      "podman",
      `case "$1" in info) ${info} ;; save) touch "$4" ;; image) ${inspect} ;; esac\n`,
    );
    const env = { ...machine.env, KIND_EXPERIMENTAL_PROVIDER: "podman" };
    await loadDockerImages(["payment:1.0.0"], { env });
    const calls = await machine.calls();
    expect(calls).toContain("podman tag payment:1.0.0 docker.io/library/payment:1.0.0");
    expect(calls.find((call) => call.startsWith("podman save"))).toMatch(
      /docker.io\/library\/payment:1.0.0$/,
    );
    expect(calls.at(-1)).toBe(back);
  },
);

it("reports a missing image or file", async () => {
  await machine.put("kind", kindThat("echo 'ERROR: image: \"payment:2\" not present locally' >&2; exit 1"));
  await expect(loadDockerImages(["payment:2"], { env: machine.env })).rejects.toMatchObject({
    problem: "image-missing",
    what: "payment:2 was not loaded into cluster kind",
  });
  await expect(loadImageArchive("/nowhere/i.tar", { env: machine.env })).rejects.toMatchObject({
    problem: "file-missing",
  });
  expect((await readdir(machine.folder)).filter((name) => name.startsWith("kind-load-"))).toEqual([]);
});

it("lists the existing clusters if one is missing", async () => {
  const missing = `case "$2" in clusters) cat "$STAND_IN/clusters" ;; *) echo 'ERROR: no nodes found for cluster "dev"' >&2; exit 1 ;; esac`;
  await machine.put("kind", kindThat(missing));
  const load = () => loadDockerImages(["payment:2"], { env: machine.env, name: "dev" });
  await machine.write("clusters", "first\nsecond\n");
  await expect(load()).rejects.toMatchObject({
    problem: "no-cluster",
    message:
      "payment:2 was not loaded into cluster dev: there is no cluster dev\n" +
      "Existing clusters: first, second (--name, KIND_CLUSTER). `pnpm kind-up --name dev` creates it.",
  });
  await machine.write("clusters", "");
  await expect(load()).rejects.toThrow("There are no clusters. `pnpm kind-up --name dev` creates it.");
});

const engine = '[ "$1" = info ] && echo \'{"ServerVersion":"29.0.0"}\' && exit\n';

function kindThat(command: string): string {
  return `[ "$1" = --version ] && echo "kind version 0.33.0" && exit\n${command}\n`;
}
