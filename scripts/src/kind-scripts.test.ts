import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const run = join(import.meta.dirname, "../run");
const ofTutorial = join(import.meta.dirname, "../../tutorials/01-podbuggertool/scripts");

/** Where Node finds what it has compiled before. The other variables of this process are not passed on. */
const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "kind-scripts-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const commands: string[][] = [["kind-up", "01-podbuggertool"], ["kind-down"], ["kind-load", "payment:1.0.0"]];

it.each(commands)(
  "without a container engine %s ends with one message, and leaves nothing",
  async (...args) => {
    // Where sh and dirname are, and no docker.
    const env = { ...compiled, HOME: home, PATH: await coreutils() };
    const { exitCode, stdout, stderr } = await execa(run, [...args], {
      env,
      extendEnv: false,
      reject: false,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(
      /^error: no container engine can be used: there is no docker, podman or nerdctl on the PATH\nkind runs/,
    );
    expect(stderr.match(/error:/g)).toHaveLength(1);
    expect((await readdir(home)).filter((name) => name !== "bin")).toEqual([]);
  },
);

it.each(["kind-up", "kind-down", "kind-load x", "verify --provider kind"])(
  "a tutorial's %s, started in any folder, names a DOCKER_HOST that does not answer",
  async (line) => {
    const [script = "", ...args] = line.split(" ");
    const bin = await coreutils();
    const docker =
      'echo "Cannot connect to the Docker daemon at $DOCKER_HOST. Is the docker daemon running?" >&2; exit 1';
    await execa("sh", [
      "-c",
      `printf '#!/bin/sh\n%s\n' '${docker}' > "$0/docker"; chmod +x "$0/docker"`,
      bin,
    ]);
    const env = { ...compiled, HOME: home, PATH: bin, DOCKER_HOST: "tcp://127.0.0.1:1" };
    const { exitCode, stderr } = await execa(join(ofTutorial, script), args, {
      cwd: home,
      env,
      extendEnv: false,
      reject: false,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: .*docker is installed but not running: nothing answers at tcp:\/\/127\.0\.0\.1:1/,
    );
    expect(stderr).toContain(
      "`unset DOCKER_HOST`. Or start the program that should listen at tcp://127.0.0.1:1.",
    );
  },
);

it("a tutorial's verify takes pnpm from npx, and says in one line where there is neither", async () => {
  const env = { ...compiled, HOME: home, PATH: await coreutils() };
  const verify = () =>
    execa(join(ofTutorial, "verify"), ["--jobs", "1"], { env, extendEnv: false, reject: false });
  expect(await verify()).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(/^error: pnpm is missing: .*`npx --yes pnpm@12 verify`.*$/),
  });
  expect((await readdir(home)).filter((name) => name !== "bin")).toEqual([]);
  await writeFile(join(home, "bin/npx"), '#!/bin/sh\necho "$*"\n', { mode: 0o755 });
  expect((await verify()).stdout).toMatch(
    /^--yes --package pnpm@12 -- \S+\/node .*\/main\.ts verify 01-podbuggertool --jobs 1$/,
  );
});

it("an interrupted kind-up ends by itself, and one that is interrupted twice at once", async () => {
  const bin = await coreutils();
  // An engine that never answers; the second does not even let itself be ended.
  for (const [deaf, end] of [
    ["", { exitCode: 130 }],
    ['trap "" TERM; ', { signal: "SIGINT" }],
  ] as const) {
    const docker = join(bin, "docker");
    await writeFile(docker, `#!/bin/sh\n${deaf}echo $$ > "$HOME/asked"\nwhile :; do /bin/sleep 1; done\n`, {
      mode: 0o755,
    });
    const child = execa(run, ["kind-up"], {
      env: { ...compiled, HOME: home, PATH: bin },
      extendEnv: false,
      reject: false,
    });
    const pid = await vi.waitFor(async () => {
      const asked = Number(await readFile(join(home, "asked"), "utf8"));
      expect(asked).toBeGreaterThan(0);
      return asked;
    });
    child.kill("SIGINT");
    for await (const line of child.iterable({ from: "stderr" })) {
      if (deaf !== "" && line === "interrupted: cleaning up") child.kill("SIGINT");
    }
    expect(await child).toMatchObject(end);
    if (deaf !== "") process.kill(pid, "SIGKILL");
    await rm(join(home, "asked"));
  }
});

it("kind-up names the tutorials that there are, and a configuration that is wrong", async () => {
  // As if pnpm ran it: npx is not to be asked for one.
  const fails = (...args: string[]) =>
    execa(run, args, { reject: false, env: { npm_execpath: "/nowhere/pnpm" } });
  expect((await fails("kind-up", "05-nothing")).stderr).toMatch(
    /^error: tutorial 05-nothing: .*\nThere are 01-podbuggertool, /,
  );
  expect(await fails("kind-up", "--config", join(home, "k.yaml"))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("k.yaml cannot be read: there is no such file"),
  });
  expect((await fails("kind-up", "--page", "1")).stderr).toMatch(/^error: --page needs a tutorial/);
  expect((await fails("kind-up", "02", "--page", "9")).stderr).toMatch(
    /^error: there is no page 02-memcached-operator\/9: .*There are 02-memcached-operator\/1, /,
  );
  expect(await fails("kind-up", "--registry", "0")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("A port is"),
  });
});

it.each([
  ["kind-up", /01-podbuggertool, .*04-hybrid-helm-operator/],
  ["kind-down", /default: operator-path, whatever KIND_CLUSTER says/],
  ["kind-load", /default: KIND_CLUSTER, or operator-path/],
] as const)("%s says what it takes", async (script, says) => {
  const { exitCode, stdout } = await execa(run, [script, "--help"], { reject: false });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: ${script} `));
  expect(stdout).toContain("--name <name>");
  expect(stdout.replace(/\s+/g, " ")).toMatch(says);
});

/** A PATH with what a shell script needs, and nothing else that this machine has. */
async function coreutils(): Promise<string> {
  const bin = join(home, "bin");
  const links =
    'mkdir -p "$0"; for tool in sh dirname readlink env; do ln -s "$(command -v $tool)" "$0/$tool"; done';
  await execa("sh", ["-c", links, bin]);
  return `${bin}`;
}
