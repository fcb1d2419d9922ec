import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "tar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { kubernetesVersions } from "../kubernetes-versions.ts";
import { ToolNotFoundError } from "../tool-not-found.ts";
import { findControlPlane } from "./find-control-plane.ts";
import { stagingModules } from "./go-module.ts";

const release = kubernetesVersions.kubernetes;
const otherPatch = `${release.split(".", 2).join(".")}.99`;

let folder: string;
let cacheDirectory: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "control-plane-"));
  cacheDirectory = join(folder, "cache");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const says = (words: string): string => `#!/bin/sh\necho '${words}'\n`;
const etcd = says(`etcd Version: ${kubernetesVersions.etcd}`);
const apiserver = (version: string): string => says(`Kubernetes ${version}`);
const linux = { platform: "linux", arch: "x64" } as const;

async function program(directory: string, name: string, text: string): Promise<string> {
  await mkdir(join(folder, directory), { recursive: true });
  const path = join(folder, directory, name);
  await writeFile(path, text);
  await chmod(path, 0o755);
  return path;
}

/** Creates a `go` that answers like the real one, and counts its builds in the file `builds`. */
async function fakeGo(): Promise<{ PATH: string }> {
  await program("module", "go.sum", "");
  await program(
    "module",
    "go.mod",
    "module k8s.io/kubernetes\n\ngo 1.26.0\n\nrequire (\n\tk8s.io/api v0.0.0\n)\n",
  );
  await program(
    "bin",
    "go",
    `#!/bin/sh
case "$1 $2" in
"mod download") echo '{"GoMod":"${folder}/module/go.mod","Dir":"${folder}/module"}' ;;
"mod tidy") ;;
build*)
  while [ "$1" != -o ]; do shift; done
  echo "$2" >> "${folder}/builds"
  cat go.mod >> "${folder}/modules"
  sleep 0.2
  case "$2" in *etcd) words='etcd Version: ${kubernetesVersions.etcd}' ;; *) words='Kubernetes v${release}' ;; esac
  printf '#!/bin/sh\\necho "%s"\\n' "$words" > "$2"; chmod 755 "$2" ;;
esac
`,
  );
  return { PATH: `${join(folder, "bin")}:/usr/bin:/bin` };
}

describe("findControlPlane", () => {
  it("uses each program that KUBEBUILDER_ASSETS has", async () => {
    const path = await program("assets", "etcd", etcd);
    await program("assets", "kube-apiserver", apiserver(`v${otherPatch}`));
    const lines: string[] = [];
    const found = await findControlPlane({
      env: { KUBEBUILDER_ASSETS: join(folder, "assets") },
      cacheDirectory,
      log: (line) => lines.push(line),
    });
    expect(found.etcd).toEqual({
      name: "etcd",
      path,
      version: kubernetesVersions.etcd,
      source: "KUBEBUILDER_ASSETS",
    });
    expect(found.apiserver.version).toBe(otherPatch);
    expect(lines.join("\n")).toContain(
      `etcd: using ${kubernetesVersions.etcd} at ${path} (KUBEBUILDER_ASSETS)`,
    );
  });

  it("skips another minor version, and reports why it found no program", async () => {
    await program("assets", "etcd", etcd);
    await program("assets", "kube-apiserver", apiserver("v1.34.0"));
    const env = { KUBEBUILDER_ASSETS: join(folder, "assets"), PATH: "" };
    const error = await findControlPlane({ env, cacheDirectory, ...linux }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ToolNotFoundError);
    expect(error.message).toContain("has kube-apiserver 1.34.0");
    expect(error.message).toContain("there is no go on the PATH");
    expect(error.message).toContain("was not downloaded, because it needs consent");
  });

  it("builds with Go once for two callers, and caches the result", async () => {
    const env = await fakeGo();
    const options = { env, cacheDirectory, controllerManager: true, ...linux };
    const [one, two] = await Promise.all([findControlPlane(options), findControlPlane(options)]);
    expect([one.etcd.source, two.etcd.source].sort()).toEqual(["go build", "go build"]);
    expect((await readFile(join(folder, "builds"), "utf8")).trim().split("\n")).toHaveLength(3);
    expect(await readFile(join(folder, "modules"), "utf8")).toContain(
      `k8s.io/api => k8s.io/api v0${release.slice(1)}`,
    );
    const again = await findControlPlane(options);
    expect(again.controllerManager).toMatchObject({ source: "cache", version: release });
    // Neither a lock nor a partial program is left.
    expect((await readdir(join(cacheDirectory, "tools"))).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("takes over the lock of a builder that has ended", async () => {
    const env = await fakeGo();
    await mkdir(join(cacheDirectory, "tools"), { recursive: true });
    await writeFile(
      join(cacheDirectory, "tools", `.etcd-v${kubernetesVersions.etcd}-linux-amd64.building`),
      "999999999",
    );
    expect((await findControlPlane({ env, cacheDirectory, ...linux })).etcd.source).toBe("go build");
  });

  it("reports Go's output when a build fails, and what to do", async () => {
    await program("bin", "go", "#!/bin/sh\necho 'dial tcp: no route to host' >&2\nexit 1\n");
    const env = { PATH: `${join(folder, "bin")}:/usr/bin:/bin` };
    await expect(findControlPlane({ env, cacheDirectory, ...linux })).rejects.toThrow(
      /etcd could not be built: go mod download failed:\s+dial tcp: no route to host\nSet KUBEBUILDER_ASSETS/,
    );
  });

  it("downloads after consent, and only with the published checksum", async () => {
    await program("release", "etcd", etcd);
    await create({ gzip: true, file: join(folder, "etcd.tar.gz"), cwd: folder }, ["release/etcd"]);
    const archive = await readFile(join(folder, "etcd.tar.gz"));
    const digest = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");
    const answers = (sum: string) => async (url: string) =>
      new Response(
        url.endsWith("SHA256SUMS")
          ? `${"0".repeat(64)}  other.tar.gz\n${sum}  etcd-v${kubernetesVersions.etcd}-linux-amd64.tar.gz\n`
          : url.endsWith(".tar.gz")
            ? new Uint8Array(archive)
            : url.endsWith(".sha256")
              ? digest(apiserver(`v${release}`))
              : apiserver(`v${release}`),
      );
    const options = { env: { PATH: "" }, cacheDirectory, mayDownload: () => true, ...linux };
    await expect(findControlPlane({ ...options, fetch: answers("1".repeat(64)) })).rejects.toThrow(
      "SHA256SUMS publishes 1111",
    );
    const found = await findControlPlane({ ...options, fetch: answers(digest(archive)) });
    expect([found.etcd.source, found.apiserver.source]).toEqual(["download", "download"]);
  });
});

it("recognises staging modules by their replaces and by v0.0.0", () => {
  const goMod =
    "require (\n\tk8s.io/api v0.0.0\n\tk8s.io/klog/v2 v2.1.0\n)\nreplace (\n\tk8s.io/cri-api => ./staging/src/k8s.io/cri-api\n)\n";
  expect(stagingModules(goMod)).toEqual(["k8s.io/api", "k8s.io/cri-api"]);
});
