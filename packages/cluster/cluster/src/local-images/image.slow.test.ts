import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ImageBench, startImageBench, writeProject } from "../testing/image-bench.ts";
import { until } from "../testing/process.ts";

let bench: ImageBench;
let project: string;
beforeAll(async () => {
  bench = await startImageBench();
  project = join(dirname(await bench.file("x", "")), "project");
});
afterAll(() => bench?.stop());

const dockerfile = (rest: string) => `FROM gcr.io/distroless/nodejs26-debian13\n${rest}\n`;
const says = (text: string) =>
  dockerfile(`CMD ["-e", "console.log('${text}'); setInterval(() => {}, 1000)"]`);
const build = async (name: string, text: string) => {
  await writeProject(project, { Dockerfile: text });
  return bench.tool(["build", "-q", "-t", name, "."], project);
};
const running = (name: string) => until(() => bench.hasLogs(name));
const policy = (value: string) => `--image-pull-policy=${value}`;

it("cannot be pulled before it was pushed", async () => {
  const { stdout } = await build("early:1", says("early"));
  expect(stdout).toMatch(/^sha256:[0-9a-f]{64}\n$/);
  await bench.ok("run early --image=early:1");
  await until(async () => (await bench.events("early")).includes("Error: ImagePullBackOff"));
  expect(await bench.events("early")).toContain(
    'Failed:Failed to pull image "early:1": rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/library/early:1": failed to resolve reference "docker.io/library/early:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
  );
  const pushed = await bench.tool(["push", "early:1"]);
  expect(pushed.stdout).toBe(
    `Pushing to the nodes of this cluster, not to a registry [docker.io/library/early]\n1: digest: ${stdout.trim()} size: 0\n`,
  );
  await bench.ok("delete pod early --now");
  await bench.ok("run early --image=early:1");
  await running("early");
  expect(await bench.field("early", ".status.containerStatuses[0].imageID")).toBe(
    `docker.io/library/early@${stdout.trim()}`,
  );
});

it("is pulled anew under the same tag after a second push, and running Pods stay", async () => {
  await build("twice:1", says("first"));
  await bench.tool(["push", "twice:1"]);
  await bench.ok("run one --image=twice:1");
  await running("one");
  const same = await bench.tool(["build", "-t", "twice:1", "."], project);
  expect(same.stdout).toContain("A node of the cluster has docker.io/library/twice:1 already.");
  await writeProject(project, { Dockerfile: says("second") });
  const other =
    /^WARNING: a node already has another image under the name docker\.io\/library\/twice:1, and will not pull this one: give it another tag/m;
  expect((await bench.tool(["build", "-t", "twice:1", "."], project)).stderr).toMatch(other);
  expect((await bench.tool(["push", "twice:1"])).stderr).toMatch(other);
  // As in every cluster, a node that has the tag does not pull it again.
  await bench.ok("run two --image=twice:1");
  await running("two");
  expect(await bench.logs("two")).toBe("first\n");
  expect(await bench.events("two")).toContain('Pulled:Container image "twice:1" already present on machine');
  await bench.ok(`run three --image=twice:1 ${policy("Always")}`);
  await running("three");
  expect(await bench.logs("three")).toBe("second\n");
  expect(await bench.events("three")).toMatch(/Pulled:Successfully pulled image "twice:1" in \d+ms/);
  expect(await bench.field("one", ".status.containerStatuses[0].restartCount")).toBe("0");
  expect(await bench.field("one", ".status.containerStatuses[0].imageID")).not.toBe(
    await bench.field("three", ".status.containerStatuses[0].imageID"),
  );
});

it("is the new one on every node if a push also loads it", async () => {
  const push = () => bench.tool(["push", "again:1"], project, { OPERATOR_PATH_PUSH: "load" });
  for (const [pod, text] of [
    ["before", "first"],
    ["after", "second"],
  ] as const) {
    await build("again:1", says(text));
    await push();
    await bench.ok(`run ${pod} --image=again:1`);
    await running(pod);
    expect(await bench.logs(pod)).toBe(`${text}\n`);
  }
});

it("is on the nodes without a pull after a load", async () => {
  await build("loaded:1", says("loaded"));
  await bench.ok(`run never --image=loaded:1 ${policy("Never")}`);
  await until(async () => (await bench.events("never")).includes("ErrImageNeverPull"));
  expect((await bench.tool(["load", "loaded:1"])).stdout).toMatch(
    /^Loaded image: loaded:1, sha256:.*, on every node of the cluster\n$/,
  );
  await running("never");
  await build("loaded:1", says("newer"));
  await bench.tool(["load", "loaded:1"]);
  await bench.ok(`run newer --image=loaded:1 ${policy("Never")}`);
  await running("newer");
  expect(await bench.logs("newer")).toBe("newer\n");
});

it("is listed, renamed, and removed", async () => {
  await build("listed:1", says("listed"));
  await bench.tool(["push", "listed:1"]);
  expect((await bench.tool(["tag", "listed:1", "example.com/team/listed:v2"])).code).toBe(0);
  const { stdout } = await bench.tool(["images"]);
  expect(stdout).toMatch(/^REPOSITORY +TAG +IMAGE ID +CREATED +SIZE +CLUSTER\n/);
  expect(stdout).toMatch(/^example\.com\/team\/listed +v2 +[0-9a-f]{12} .* 0B +built only$/m);
  expect(stdout).toMatch(/^listed +1 +[0-9a-f]{12} .* 0B +pushed$/m);
  expect((await bench.tool(["rmi", "listed:1"])).stdout).toBe("Untagged: listed:1\n");
  await bench.ok("run gone --image=listed:1");
  await until(async () => (await bench.events("gone")).includes("ErrImagePull"));
});

it("loses its name but not its Pods", async () => {
  await bench.image("crashing:1", {
    Dockerfile: 'FROM node:26\nWORKDIR /app\nCOPY main.mjs .\nCMD ["main.mjs"]\n',
    "main.mjs": "console.log('on'); setTimeout(() => process.exit(1), 3000);",
  });
  await bench.ok("run crashing --image=crashing:1");
  await running("crashing");
  expect((await bench.tool(["rmi", "crashing:1"])).stdout).toBe("Untagged: crashing:1\n");
  await until(
    async () => Number(await bench.field("crashing", ".status.containerStatuses[0].restartCount")) >= 1,
  );
  expect(await bench.events("crashing")).not.toContain("ErrImagePull");
  await bench.ok("delete pod crashing --now");
});

it("is pulled in spite of a load if it is :latest, and load warns", async () => {
  await build("untagged", says("untagged"));
  const loaded = await bench.tool(["load", "untagged"]);
  expect(loaded.code).toBe(0);
  expect(loaded.stderr).toMatch(/^WARNING: untagged: .*imagePullPolicy: IfNotPresent/);
  await bench.ok("run untagged --image=untagged");
  await until(async () => (await bench.events("untagged")).includes("ErrImagePull"));
  await bench.ok("delete pod untagged --now");
});

it("is saved to an archive and loaded from it", async () => {
  await build("kept:1", says("kept"));
  expect(await bench.tool(["save", "kept:1", "-o", "kept.tar"])).toEqual({ code: 0, stdout: "", stderr: "" });
  const { digest } = JSON.parse(`{"digest":"${(await bench.tool(["images", "-q"])).stdout.split("\n")[0]}"}`);
  await bench.tool(["rmi", "kept:1"]);
  const { stdout } = await bench.tool(["load", "-i", "kept.tar"]);
  expect(stdout).toMatch(
    /^Loaded image: docker\.io\/library\/kept:1, sha256:[0-9a-f]{64}, on every node of the cluster\n$/,
  );
  expect(stdout).toContain(digest);
  await bench.ok("run kept --image=kept:1");
  await running("kept");
  await bench.file("docker.tar", "no archive");
  expect((await bench.tool(["load", "-i", "docker.tar"])).stderr).toMatch(
    /^error: docker\.tar was not written by `container-tool save`/,
  );
});

it("starts its command: npm start, npx, tsx, a shell's single command", async () => {
  const files = {
    "package.json": JSON.stringify({
      name: "p",
      type: "module",
      scripts: { start: "node main.ts from npm" },
    }),
    "main.ts": "const words: string[] = process.argv.slice(2); console.log(words.join(' '));",
    "tool.mjs": "#!/usr/bin/env node\nconsole.log('a script', ...process.argv.slice(2));",
    "node_modules/said/package.json": '{"name":"said","bin":"bin.js"}',
    "node_modules/said/bin.js": "console.log('a package', process.argv[2]);",
    Dockerfile: 'FROM node:26\nWORKDIR /app\nENV WHO=me\nCOPY . .\nCMD ["npm", "start"]\n',
  };
  await bench.image("commands:1", files);
  const said = async (name: string, command: string) => {
    await bench.ok(`run ${name} --image=commands:1 --restart=Never ${command && `--command -- ${command}`}`);
    await until(async () => /Succeeded|Failed/.test(await bench.field(name, ".status.phase")));
    return bench.logs(name);
  };
  expect(await said("npm", "")).toBe("from npm\n");
  expect(await said("npx", "npx said hello")).toBe("a package hello\n");
  expect(await said("script", "./tool.mjs x")).toBe("a script x\n");
  expect(await said("sh", "sh -c 'exec node main.ts \"to $WHO\"'")).toBe("to me\n");
  expect(await said("shell", "sh -c 'cd / && echo in $(pwd)'")).toBe("in /\n");
  await bench.ok("run missing --image=commands:1 --command -- python3");
  await until(async () =>
    (await bench.events("missing")).includes('exec: "python3": executable file not found in $PATH'),
  );
});

it("reports that the project's node_modules, which it refers to, are missing", async () => {
  const files = {
    "package.json": "{}",
    "node_modules/said/package.json": '{"name":"said","type":"module","exports":"./index.js"}',
    "node_modules/said/index.js": "export const said = 'from the project, as it is';",
    "main.mjs": "import { said } from 'said'; console.log(said);",
    Dockerfile: dockerfile(
      'WORKDIR /app\nCOPY package.json .\nRUN npm ci\nCOPY main.mjs .\nCMD ["main.mjs"]',
    ),
  };
  await bench.image("linked:1", files);
  await bench.ok("run linked --image=linked:1 --restart=Never");
  await until(async () => (await bench.field("linked", ".status.phase")) === "Succeeded");
  expect(await bench.logs("linked")).toBe("from the project, as it is\n");
  await rm(join(dirname(project), "project-linked-1", "node_modules"), { recursive: true });
  await bench.ok("run unlinked --image=linked:1");
  await until(async () =>
    (await bench.events("unlinked")).includes("which is missing: install the project's packages again"),
  );
  expect(await bench.ok("get pod unlinked")).toContain("CreateContainerConfigError");
});

it("reports errors in one line, and exits with 1", async () => {
  await writeProject(project, { Dockerfile: "FROM node:26\nCOPY nothing /x\n" });
  const cases: [string[], RegExp][] = [
    [["build", "-t", "x:1", "."], /^error: Dockerfile:2: "nothing" is not in .*\n$/],
    [
      ["build", "-t", "Bad Name", "."],
      /^error: -t Bad Name is not a valid image name \(expected a name such as podbuggertool:v0\.1\.0/,
    ],
    [["build", "-f", "Nope", "."], /^error: there is no Nope: name it with -f\n$/],
    [
      ["push", "unknown:1"],
      /^error: An image does not exist locally with the tag: unknown:1\. Build it first: container-tool build -t unknown:1 \.\n$/,
    ],
    [
      ["run", "-it", "busybox"],
      /^error: container-tool has no run: a container runs in a Pod here: kubectl run/,
    ],
    [["frobnicate"], /^error: unknown command 'frobnicate'/],
  ];
  const check = async ([args, message]: [string[], RegExp]) => {
    const { code, stderr } = await bench.tool(args, project);
    expect([args.join(" "), code]).toEqual([args.join(" "), 1]);
    expect(stderr).toMatch(message);
  };
  await Promise.all(cases.map(check));
});

it("needs an embedded cluster's kubeconfig, or a copy of one", async () => {
  const kubeconfig = await bench.file(
    "other-kubeconfig",
    await bench.ok("config view --raw --minify --flatten"),
  );
  const run = async (text: string) => {
    await writeFile(kubeconfig, text);
    const { execa } = await import("execa");
    const { containerToolPath } = await import("../container-tool/path.ts");
    return execa(containerToolPath(), ["images"], { env: { KUBECONFIG: kubeconfig }, reject: false });
  };
  const copy = await bench.ok("config view --raw --minify --flatten");
  expect((await run(copy)).stdout).toContain("REPOSITORY");
  const foreign = await run(copy.replaceAll("operator-path/images", "minikube"));
  expect(foreign.stderr).toMatch(/is not an embedded operator-path cluster, .* use CONTAINER_TOOL=docker/);
  const { stderr } = await bench.tool(["images"]).then(() => run("{}"));
  expect(stderr).toContain("is not an embedded operator-path cluster");
});
