import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ImageStore } from "../images/local/image-store.ts";
import type { ImageTool } from "../images/local/manifest.ts";
import type { Container, ProcessContext } from "../runtime/contracts.ts";
import { asHostError, ConfigError, onHost } from "../runtime/errors.ts";
import type { VolumeContent } from "../volumes/volume.ts";
import { volumeFolder } from "../volumes/volume-folder.ts";
import { type FenceChoice, type FoundBoundary, findBoundary } from "./boundary/find-boundary.ts";
import { type ContainerFolder, makeContainerFolder } from "./container-folder.ts";
import { requireDescriptors } from "./limits.ts";
import { createPodPorts, type PodPorts } from "./pod-ports.ts";
import { killMarked, type Supervisor, startSupervisor } from "./supervisor.ts";
import { writePreload } from "./write-preload.ts";

/** Runs Pods of local images as processes of this machine. All nodes of a cluster share one. */
export interface ProcessHost {
  readonly images: ImageStore;
  /** The API server's address, for KUBERNETES_SERVICE_HOST and _PORT. */
  readonly apiServer: { readonly host: string; readonly port: number };
  readonly supervisor: Supervisor;
  /**
   * Returns the folder of a run of a container. The first call creates it. It is removed when the container
   * has ended.
   * @throws HostError
   */
  folderOf(container: Container): ContainerFolder;
  /**
   * Puts volumes on the disk, for containers that are processes and for simulated ones beside them.
   * @throws HostError
   */
  shareVolumes(volumes: Iterable<VolumeContent>): void;
  /**
   * Returns the folder of the modules that every process loads first.
   * @throws HostError
   */
  preload(): Promise<string>;
  portsOf(context: ProcessContext): PodPorts;
  /** Called with each key that a work queue in a Pod returns. Default: processes do not report them. */
  readonly onReconcile?: OnReconcile;
  /**
   * Returns what confines processes, besides Node's permission model. The first call looks for it.
   * @throws HostError
   */
  boundary(): Promise<FoundBoundary>;
  /**
   * Returns the absolute path of a tool on this machine. Later calls return the same path.
   * @throws ConfigError when the tool is missing
   */
  tool(name: ImageTool): Promise<string>;
  /** Removes all folders. Stop the containers first. */
  stop(): Promise<void>;
}

/**
 * Finds a tool of this machine.
 * @returns its absolute path
 * @throws Error that says where it was looked for
 */
export type FindImageTool = (name: ImageTool) => Promise<string>;

/**
 * Receives a key that a work queue has returned.
 * @param pod the Pod's hostname
 * @param queue the controller's name, if it has one
 */
export type OnReconcile = (pod: string, queue: string, key: string) => void;

export interface ProcessHostOptions {
  readonly images: ImageStore;
  /**
   * The parent of a folder for the containers' files. Both are created with mode 0700 when the first
   * container starts. `stop()` removes them, or the supervisor after this process has died.
   */
  readonly folder: string;
  readonly apiServer: { readonly host: string; readonly port: number };
  /** Finds tools for images that have them. Default: no tool is found. */
  readonly findTool?: FindImageTool;
  /** Called with each key that a work queue of the sdk returns in a Pod. Default: no Pod reports them. */
  readonly onReconcile?: OnReconcile;
  /** What confines processes. Default `best`. */
  readonly fence?: FenceChoice;
}

export function createProcessHost(options: ProcessHostOptions): ProcessHost {
  // A unique folder: the supervisor of a killed cluster may still be removing that cluster's files.
  const hostFolder = join(options.folder, randomBytes(4).toString("hex"));
  let supervisor: Supervisor | undefined;
  let preload: Promise<string> | undefined;
  let boundary: Promise<FoundBoundary> | undefined;
  /** Removals of what ended containers have left: files, and processes that left their group. */
  const cleaning = new Set<Promise<void>>();
  const folders = new WeakMap<Container, ContainerFolder>();
  const tools = new Map<ImageTool, Promise<string>>();
  const volumesFolder = join(hostFolder, "volumes");
  /** Starts the supervisor too, so that the folder is removed even if this process dies. */
  const ensureFolder = () => {
    mkdirSync(hostFolder, { recursive: true, mode: 0o700 });
    supervisor ??= startSupervisor(hostFolder);
  };
  return {
    images: options.images,
    apiServer: options.apiServer,
    get supervisor() {
      supervisor ??= startSupervisor(hostFolder);
      return supervisor;
    },
    folderOf(container) {
      const known = folders.get(container);
      if (known) return known;
      const { config } = container;
      const image = config.image.local;
      if (image === undefined) throw new Error(`the image of container ${config.name} is not a local image`);
      requireDescriptors();
      const folder = onHost(options.folder, () => {
        ensureFolder();
        return makeContainerFolder(join(hostFolder, "containers"), volumesFolder, config, image);
      });
      folders.set(container, folder);
      void container.exited.then(() => {
        const cleaned = killMarked(`OPERATOR_PATH_ROOT=${folder.root}`)
          .catch(() => {})
          .then(() => folder.remove());
        cleaning.add(cleaned);
        const done = () => void cleaning.delete(cleaned);
        cleaned.then(done, done);
      });
      return folder;
    },
    shareVolumes(volumes) {
      onHost(options.folder, () => {
        ensureFolder();
        for (const volume of volumes) volumeFolder(volumesFolder, volume);
      });
    },
    preload() {
      preload ??= writePreload(join(hostFolder, "preload")).catch((error: unknown) => {
        // The next container tries again.
        preload = undefined;
        throw asHostError(options.folder, error);
      });
      return preload;
    },
    portsOf: createPodPorts,
    ...(options.onReconcile && { onReconcile: options.onReconcile }),
    boundary() {
      boundary ??= findBoundary(options.fence, dirname(options.folder)).catch((error: unknown) => {
        // The next container tries again.
        boundary = undefined;
        throw asHostError(dirname(options.folder), error);
      });
      return boundary;
    },
    async tool(name) {
      const found = tools.get(name) ?? (options.findTool ?? noTools)(name);
      tools.set(name, found);
      try {
        return await found;
      } catch (error) {
        // The tool may be installed later.
        tools.delete(name);
        throw new ConfigError(`the image needs this machine's ${name}: ${(error as Error).message}`);
      }
    },
    async stop() {
      await Promise.allSettled(cleaning);
      await supervisor?.stop();
      await rm(hostFolder, { recursive: true, force: true });
      await rmdir(options.folder).catch(() => {});
    },
  };
}

async function noTools(name: ImageTool): Promise<string> {
  throw new Error(`this cluster cannot look for ${name}: pass findTool to createProcessHost`);
}
