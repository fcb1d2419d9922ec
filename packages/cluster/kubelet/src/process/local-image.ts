import { BUSYBOX_TOOLS, busyboxFiles } from "../images/busybox.ts";
import type { ImageCatalog } from "../images/catalog.ts";
import { DEBIAN_TOOLS, debianFiles } from "../images/debian.ts";
import type { LocalImage } from "../images/local/image-store.ts";
import type { ImageReference } from "../images/reference.ts";
import type { ImageFile, ImageShell, Program, SimulatedImage } from "../runtime/contracts.ts";
import type { ProcessHost } from "./process-host.ts";
import { nodePrograms } from "./programs.ts";
import { runTool } from "./tools/run-tool.ts";

/** Returns a local image as nodes run it. Its Node is a process of the host. */
function localImage(reference: ImageReference, local: LocalImage, host: ProcessHost): SimulatedImage {
  const { flavour, config } = local.manifest;
  const { node, entrypoint, npm, npx, shell: oneCommand, find } = nodePrograms(host);
  const shell = shells[flavour];
  const tools = local.manifest.tools ?? [];
  const sh: Program = async (context) => {
    const { runShell } = await import("../shell/programs.ts");
    return oneCommand(context) ?? runShell(context);
  };
  const installed = {
    "/usr/local/bin/node": node,
    "/usr/local/bin/docker-entrypoint.sh": entrypoint,
    "/usr/local/bin/npm": npm,
    "/usr/local/bin/npx": npx,
  };
  return {
    repository: reference.repository,
    tags: reference.tag === undefined ? "any" : [reference.tag],
    config,
    files: () => ({
      ...baseFiles[flavour],
      ...Object.fromEntries(tools.map(({ path }) => [path, executable])),
    }),
    programs: {
      ...(shell
        ? { ...installed, ...Object.fromEntries(shell.paths.map((path) => [path, sh])) }
        : { "/nodejs/bin/node": node, "/usr/bin/node": node }),
      ...Object.fromEntries(tools.map(({ path }) => [path, toolProgram(path, host)])),
    },
    ...(shell ? { shell } : {}),
    local,
    hostRoot: (container) => host.folderOf(container).root,
    findProgram: find,
    async prepare() {
      await host.preload();
      await host.boundary();
      for (const { tool } of tools) await host.tool(tool);
    },
  };
}

function toolProgram(path: string, host: ProcessHost): Program {
  return (context) => runTool(context, host, host.folderOf(context.container), path);
}

const shells: Record<LocalImage["manifest"]["flavour"], ImageShell | undefined> = {
  distroless: undefined,
  debian: {
    flavour: "bash",
    paths: ["/bin/sh", "/bin/bash"],
    tools: DEBIAN_TOOLS,
    toolDirectory: "/usr/bin",
  },
  alpine: { flavour: "busybox", paths: ["/bin/sh", "/bin/ash"], tools: BUSYBOX_TOOLS, toolDirectory: "/bin" },
};

const executable: ImageFile = { content: "simulated executable\n", mode: 0o755 };

const baseFiles: Record<LocalImage["manifest"]["flavour"], Record<string, ImageFile>> = {
  distroless: {
    "/nodejs/bin/node": executable,
    "/etc/os-release": 'PRETTY_NAME="Distroless (simulated)"\nID="distroless"\n',
    "/etc/passwd":
      "root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n",
    "/etc/group": "root:x:0:\nnobody:x:65534:\nnonroot:x:65532:\n",
  },
  debian: {
    ...debianFiles({ user: { name: "node", uid: 1000, gid: 1000 } }),
    "/usr/local/bin/node": executable,
    "/usr/local/bin/docker-entrypoint.sh": executable,
  },
  alpine: {
    ...busyboxFiles(),
    "/etc/os-release": 'NAME="Alpine Linux"\nID=alpine\nPRETTY_NAME="Alpine Linux (simulated)"\n',
    "/usr/local/bin/node": executable,
    "/usr/local/bin/docker-entrypoint.sh": executable,
  },
};

/**
 * Returns a catalog of the simulated images and of the images pushed to the cluster. Simulated images come
 * first. Loaded images are on every node. Notes in the store what a node has pulled.
 */
export function withLocalImages(simulated: ImageCatalog, host: ProcessHost): ImageCatalog {
  const known = new Map<string, SimulatedImage>();
  const make = (reference: ImageReference, digest: string) => {
    const key = `${reference.name} ${digest}`;
    const image = known.get(key) ?? imageOf(reference, digest);
    if (image) known.set(key, image);
    return image;
  };
  const imageOf = (reference: ImageReference, digest: string) => {
    const local = host.images.image(digest);
    return local && localImage(reference, local, host);
  };
  return {
    preloaded: () => simulated.preloaded(),
    find(reference) {
      const found = simulated.find(reference);
      if (found) return found;
      const pushed = host.images.named("pushed", reference.name);
      if (pushed) return make(reference, pushed.digest);
      // A reference by digest matches any pushed name of the repository.
      if (!reference.digest) return undefined;
      const named = host.images
        .names("pushed")
        .find(
          ({ digest, name }) => digest === reference.digest && name.startsWith(`${reference.repository}:`),
        );
      return named && make(reference, named.digest);
    },
    loaded(reference) {
      const named = host.images.named("loaded", reference.name);
      const image = named && !simulated.find(reference) && make(reference, named.digest);
      return named && image ? { image, at: named.at } : undefined;
    },
    pulled(reference, { local }) {
      if (local) host.images.name("pulled", reference.name, local.digest);
    },
  };
}
