import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ClusterFaults } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { findPnpm, parsePage } from "@operator-path/walkthrough";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { repositoryRoot as root } from "../repository.ts";
import { kubeconfigOf } from "../testing/hostile-home.ts";
import { hasPnpm, skippedWithoutPnpm } from "../testing/pnpm.ts";
import { createLearnerEnvironment, pnpmSettings } from "./learner-environment.ts";
import type { Session } from "./session.ts";
import { hasWork, openWorkshop, setAside, type Workshop, workshopFolder } from "./workshop.ts";

const project = "podbuggertool";
const tutorial = join(root, "tutorials/01-podbuggertool");
const files = { 1: "1-from-the-laptop.md", 2: "2-in-the-cluster.md" };
const page = (number: 1 | 2) => {
  const path = join(tutorial, files[number]);
  return parsePage(readFileSync(path, "utf8"), path);
};
/** No server receives a request. */
const url = "https://127.0.0.1:9";
let place: string;
let session: Session;
let undo: AsyncDisposableStack;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "work shop-"));
  await writeFile(join(place, "kubeconfig"), kubeconfigOf("operator-path", url));
  const environment = await createLearnerEnvironment({
    bin: join(place, "bin"),
    kubectl: (await findTool("kubectl")).path,
    containerTool: "/no/container-tool",
    pnpm: findPnpm(process.env),
    variables: {
      KUBECONFIG: join(place, "kubeconfig"),
      TUTORIAL: tutorial,
      ...(await pnpmSettings(root)),
    },
  });
  session = {
    ...environment,
    ...{ url, context: "operator-path", directory: place, faults: {} as ClusterFaults },
    root,
    tutorial,
    workshops: join(place, "workshops"),
    temporary: place,
    signal: new AbortController().signal,
  };
  undo = new AsyncDisposableStack();
});
afterEach(async () => {
  await undo.disposeAsync();
  await rm(place, { recursive: true, force: true });
});

/** Another session with the same learner's folder. */
async function openOther(stack: AsyncDisposableStack, name = "other"): Promise<Workshop> {
  const directory = join(place, name);
  await mkdir(directory);
  const KUBECONFIG = join(directory, "kubeconfig");
  await writeFile(KUBECONFIG, kubeconfigOf("operator-path", url));
  const variables = { ...session.variables, KUBECONFIG };
  return openWorkshop({ ...session, directory, variables }, page(1), stack);
}

/**
 * Writes what the page's fences write. The closure check proves that it is the committed project.
 */
async function writeProject(folder: string): Promise<void> {
  const files = execFileSync("git", ["ls-files"], { cwd: join(tutorial, project), encoding: "utf8" });
  for (const file of files
    .trim()
    .split("\n")
    .filter((name) => name !== "README.md")) {
    await cp(join(tutorial, project, file), join(folder, file));
  }
}

describe("a learner's folder", () => {
  it.skipIf(!hasPnpm)(
    `is enough to follow the page by hand without network, also in another terminal${skippedWithoutPnpm}`,
    async () => {
      const { folder, environmentFile } = await openWorkshop(session, page(1), undo);
      expect(folder).toBe(join(place, "workshops", project));
      expect((await readdir(folder)).sort()).toEqual(["pnpm-lock.yaml", "pnpm-workspace.yaml"]);
      await writeProject(folder);
      // A terminal with only PATH. Each network request fails.
      const { HOME, PATH, XDG_CACHE_HOME } = process.env;
      const path = PATH?.split(":")
        .filter((entry) => !entry.includes("node_modules"))
        .join(":");
      const commands = `. '${environmentFile}' && node --version && pnpm install && pnpm test && pnpm typecheck`;
      const { stdout, exitCode, stderr } = await execa("sh", ["-ec", commands], {
        cwd: place,
        extendEnv: false,
        env: {
          HOME,
          XDG_CACHE_HOME,
          PATH: path,
          HTTPS_PROXY: "http://127.0.0.1:9",
          HTTP_PROXY: "http://127.0.0.1:9",
        },
        reject: false,
      });
      expect({ exitCode, said: exitCode === 0 ? "" : stdout + stderr }).toEqual({ exitCode: 0, said: "" });
      expect(stdout).toContain(process.version);
      expect(stdout).toMatch(/pass [1-9]/);
      expect(stdout + stderr).not.toContain("WARN");
    },
  );

  it.skipIf(!hasPnpm)(`needs a package.json before \`pnpm install\`${skippedWithoutPnpm}`, async () => {
    const { folder, environmentFile } = await openWorkshop(session, page(1), undo);
    const { exitCode, stdout } = await execa("sh", ["-c", `. '${environmentFile}' && pnpm install`], {
      ...{ cwd: folder, reject: false },
    });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringContaining(`No projects found in "${folder}"`),
    });
  });

  it("is opened while a kubectl writes to its cache", async () => {
    const cache = join(place, "cache");
    const write = `
      import { mkdirSync, writeFileSync } from "node:fs";
      for (let n = 0; ; n++) {
        const folder = ${JSON.stringify(cache)} + "/" + (n % 50);
        try {
          mkdirSync(folder, { recursive: true });
          writeFileSync(folder + "/" + n, "");
        } catch {
          // The folder was removed. kubectl ignores that as well.
        }
        if (n === 500) console.log("writing");
      }`;
    const writer = spawn(process.execPath, ["--input-type=module", "--eval", write]);
    undo.defer(async () => {
      writer.kill("SIGKILL");
      await once(writer, "exit");
    });
    await once(writer.stdout, "data");
    const env = { ...session.env, KUBECACHEDIR: cache };
    const { folder } = await openWorkshop({ ...session, env }, page(2), undo);
    expect(await readdir(join(folder, "src"))).toContain("reconcile.ts");
  });

  it("has the result of the page before", async () => {
    const { folder } = await openWorkshop(session, page(2), undo);
    expect(await readdir(join(folder, "src"))).toContain("reconcile.ts");
    expect(await readdir(folder)).not.toContain("Dockerfile");
  });

  it("is made by a page that begins with nothing, and shells open beside it until then", async () => {
    const path = join(root, "tutorials/02-memcached-operator/1-the-scaffold.md");
    const scaffold = parsePage(readFileSync(path, "utf8"), path);
    const { folder, opensIn, environmentFile } = await openWorkshop(
      { ...session, tutorial: dirname(path) },
      scaffold,
      undo,
    );
    expect([existsSync(folder), opensIn]).toEqual([false, session.workshops]);
    const elsewhere = async () => (await execa("sh", ["-c", `. '${environmentFile}' && pwd`])).stdout;
    expect(await elsewhere()).toBe(session.workshops);
    await mkdir(folder);
    expect(await elsewhere()).toBe(folder);
  });

  it("keeps the work of the learner", async () => {
    const first = await openWorkshop(session, page(1), undo);
    expect(await hasWork(first.folder)).toBe(false);
    await writeFile(join(first.folder, "package.json"), "mine");
    await writeFile(join(first.folder, "pnpm-lock.yaml"), "mine, too");
    expect(await hasWork(first.folder)).toBe(true);
    await undo.disposeAsync();
    undo = new AsyncDisposableStack();
    const second = await openWorkshop(session, page(1), undo);
    expect([second.folder, second.isShared]).toEqual([first.folder, false]);
    expect(await readFile(join(second.folder, "package.json"), "utf8")).toBe("mine");
    expect(await readFile(join(second.folder, "pnpm-lock.yaml"), "utf8")).toBe("mine, too");
  });

  it("is moved aside when the learner starts over", async () => {
    const folder = workshopFolder(session, project);
    const now = new Date("2026-01-02T03:04:05Z");
    for (const content of ["one", "two"]) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "notes"), content);
      await setAside(folder, now);
    }
    expect(await hasWork(folder)).toBe(false);
    const names = ["podbuggertool-2026-01-02T03-04-05", "podbuggertool-2026-01-02T03-04-05-2"];
    expect((await readdir(session.workshops)).sort()).toEqual(names);
    const notes = names.map((name) => readFile(join(session.workshops, name, "notes"), "utf8"));
    expect(await Promise.all(notes)).toEqual(["one", "two"]);
  });

  it("keeps env.sh private to its session and removes it afterwards", async () => {
    const first = await openWorkshop(session, page(1), undo);
    await using others = new AsyncDisposableStack();
    const other = await openOther(others);
    expect([first.isShared, other.isShared]).toEqual([false, true]);
    expect((await openOther(others, "third")).isShared).toBe(true);
    expect(await readFile(first.environmentFile, "utf8")).toContain(`export TUTORIAL=${tutorial}\n`);
    await undo.disposeAsync();
    expect([existsSync(first.environmentFile), existsSync(first.fishFile)]).toEqual([false, false]);
    const { stdout } = await execa("sh", ["-c", `. '${other.environmentFile}' && echo "$KUBECONFIG"`], {
      ...{ extendEnv: false, env: { PATH: "/usr/bin:/bin" } },
    });
    expect(stdout).toBe(join(place, "other/kubeconfig"));
    await others.disposeAsync();
    expect(existsSync(other.environmentFile)).toBe(false);
  });

  it("reports in another terminal that the session of an env.sh has ended", async () => {
    const { environmentFile } = await openWorkshop(session, page(1), undo);
    await rm(join(place, "kubeconfig"));
    const script = `. '${environmentFile}' || echo "TUTORIAL=$TUTORIAL"`;
    const { stdout, stderr } = await execa("sh", ["-c", script], { extendEnv: false });
    expect([stdout, stderr]).toEqual([
      "TUTORIAL=",
      expect.stringMatching(
        /^This file's session is over: (pnpm|npx --yes pnpm@12) start in the repository's folder starts a new one\.$/,
      ),
    ]);
  });
});

it("reports in one line why the start of a page cannot be made, and leaves no folder", async () => {
  const first =
    "---\ntitle: One\nproject: p\nstart: nothing\n---\n\n## S\n\n~~~console replay\n$ mkdir p; touch p/x\n$ echo no helm here >&2; exit 3\n~~~\n";
  const second = "---\ntitle: Two\nproject: p\nstart: page 1\n---\n\n## S\n\n~~~console\n$ true\n~~~\n";
  const texts = { "1-first.md": first, "2-second.md": second };
  for (const [name, text] of Object.entries(texts))
    await writeFile(join(place, name), text.replaceAll("~~~", "```"));
  const path = join(place, "2-second.md");
  await expect(openWorkshop(session, parsePage(readFileSync(path, "utf8"), path), undo)).rejects.toThrow(
    /^1-first\.md:9: .* its commands exit with status 3: no helm here$/,
  );
  expect(await readdir(session.workshops)).toEqual([]);
});
