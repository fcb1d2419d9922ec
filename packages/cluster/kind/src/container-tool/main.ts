/**
 * `kind-container-tool`: the engine's command line, except that `push` loads an image into the nodes of a
 * kind cluster.
 */
import { execa } from "execa";
import { findEngine } from "../engine/find-engine.ts";
import { KindError } from "../errors/kind-error.ts";
import { loadDockerImages } from "../load-images.ts";
import { baseImageFlags } from "./container-tool.ts";

const [command, ...rest] = process.argv.slice(2);
const controller = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => controller.abort());
try {
  if (command === "push") await push(rest);
  else await pass(command === undefined ? [] : [command, ...rest]);
} catch (error) {
  console.error(error instanceof KindError ? `error: ${error.message}` : error);
  process.exitCode = controller.signal.aborted ? 130 : 1;
}

/** Loads the image into the nodes, which would otherwise pull it from a registry. */
async function push(args: readonly string[]): Promise<void> {
  const images = args.filter((arg) => arg !== "--quiet" && arg !== "-q");
  const [image] = images;
  if (image === undefined || images.length > 1 || image.startsWith("-")) {
    throw new KindError({
      problem: "unknown",
      what: `push ${args.join(" ")}`.trimEnd(),
      cause: "expected exactly one image name, and no flags",
      fix: "For example: push controller:v1.0.0",
    });
  }
  const name = process.env.KIND_CLUSTER || "kind";
  const { signal } = controller;
  await loadDockerImages([image], { name, signal, log: (line) => console.error(line) });
  console.log(`${image} is loaded into the nodes of cluster ${name}`);
}

async function pass(args: readonly string[]): Promise<void> {
  const engine = await findEngine({ signal: controller.signal });
  const [first, ...others] = args;
  const all = first === "build" ? ["build", ...baseImageFlags(process.env), ...others] : args;
  const result = await execa(engine.path, all, { stdio: "inherit", reject: false });
  process.exitCode = result.exitCode ?? 1;
}
