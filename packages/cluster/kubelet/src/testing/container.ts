import { createFakeClock } from "@operator-path/client/testing";
import { createImageCatalog } from "../images/catalog.ts";
import { defaultImages } from "../images/default-images.ts";
import { parseImageReference } from "../images/reference.ts";
import { createPodNetwork } from "../network/pod-network.ts";
import { containerConfig } from "../pod/container-config.ts";
import type { ContainerSpec } from "../pod/types.ts";
import { createBytePipe } from "../runtime/byte-pipe.ts";
import { randomId, startContainer } from "../runtime/container.ts";
import type { Container } from "../runtime/contracts.ts";
import { createProcessTable } from "../runtime/process-table.ts";
import { containerMounts, type PodVolumes } from "../volumes/volumes.ts";

/** Creates a Pod without an API server: the runtime alone, with a fake clock. */
export function createTestPod(
  options: { runAsUser?: number; shareProcessNamespace?: boolean; volumes?: PodVolumes } = {},
) {
  const clock = createFakeClock();
  const catalog = createImageCatalog(defaultImages);
  const network = createPodNetwork().attach("10.244.0.9", "test");
  const started = new Map<string, Container>();
  const volumes: PodVolumes = options.volumes ?? new Map([["work", { name: "work", files: {} }]]);
  const shared = options.shareProcessNamespace ? createProcessTable() : undefined;
  const security =
    options.runAsUser === undefined ? {} : { securityContext: { runAsUser: options.runAsUser } };
  return {
    clock,
    network,
    async start(
      spec: Partial<ContainerSpec> & { image: string; targetContainerName?: string },
    ): Promise<Container> {
      const reference = parseImageReference(spec.image);
      const image = reference && catalog.find(reference);
      if (!reference || !image) throw new Error(`no image ${spec.image}`);
      const whole = { name: "main", ...spec } as ContainerSpec;
      const target = started.get(spec.targetContainerName ?? "");
      const container = await startContainer(
        containerConfig({
          id: randomId(Math.random),
          pod: {
            metadata: { name: "test", namespace: "default", uid: "u" },
            spec: { containers: [], ...security },
          },
          spec: whole,
          image,
          tag: reference.tag ?? "latest",
          env: {},
          mounts: containerMounts(whole, volumes, {}),
          processes: target?.config.processes ?? shared ?? createProcessTable(),
          siblings: (name) => started.get(name),
          network,
          clock,
          random: Math.random,
        }),
      );
      started.set(whole.name, container);
      return container;
    },
  };
}

/** Runs a command in a container and collects its output. */
export async function run(container: Container, argv: string[], input?: string) {
  const stdin = createBytePipe();
  if (input !== undefined) stdin.write(Buffer.from(input));
  stdin.end();
  const out = { stdout: "", stderr: "" };
  const { exited } = await container.spawn({
    argv,
    tty: false,
    stdin,
    onOutput(stream, chunk) {
      out[stream] += Buffer.from(chunk).toString();
    },
  });
  return { exitCode: await exited, ...out };
}

/** Returns the container's log so far. */
export async function logOf({ log }: Container): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of log.read({})) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Opens a terminal in a container. */
export async function openTerminal(container: Container, argv: string[]) {
  const stdin = createBytePipe();
  let screen = "";
  const waiting = new Set<() => void>();
  const { exited, process } = await container.spawn({
    argv,
    tty: true,
    stdin,
    onOutput(_, chunk) {
      screen += Buffer.from(chunk).toString();
      for (const check of waiting) check();
    },
  });
  return {
    exited,
    process,
    type: (text: string) => stdin.write(Buffer.from(text)),
    hangUp: () => stdin.end(),
    screen: () => screen,
    /** Resolves with the screen once it matches the pattern. */
    shows(pattern: RegExp): Promise<string> {
      return new Promise((resolve) => {
        const check = () => {
          if (!pattern.test(screen)) return;
          waiting.delete(check);
          resolve(screen);
        };
        waiting.add(check);
        check();
      });
    },
  };
}
