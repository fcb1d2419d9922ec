import { z } from "zod";
import { KindError } from "../errors/kind-error.ts";
import { ourLabel } from "../ours.ts";
import type { Prepared } from "../prepare.ts";
import { type RunWords, runEngine } from "../run-kind.ts";

/** A container, as far as it matters for a registry. */
export interface Container {
  readonly running: boolean;
  /** Of this machine. */
  readonly ports: readonly number[];
  /** Made by `startRegistry`. */
  readonly ours: boolean;
}

const bindings = z.record(z.string(), z.array(z.object({ HostPort: z.string() })).nullable());
const inspected = z.tuple([
  z.object({
    State: z.object({ Running: z.boolean() }),
    HostConfig: z.object({ PortBindings: bindings.nullish() }),
    Config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }),
  }),
]);

/** The container of a name, or undefined when the engine says that there is none. Throws KindError for anything else that it says. */
export async function lookAt(
  tools: Omit<Prepared, "kind">,
  name: string,
  words: RunWords,
): Promise<Container | undefined> {
  let stdout: string;
  try {
    ({ stdout } = await runEngine(tools, ["container", "inspect", name], words));
  } catch (error) {
    const output = error instanceof KindError ? error.output : undefined;
    if (/no such (?:object|container)/i.test(output ?? "")) return undefined;
    throw error;
  }
  const [{ State, HostConfig, Config }] = inspected.parse(JSON.parse(stdout));
  return {
    running: State.Running,
    ports: Object.values(HostConfig.PortBindings ?? {}).flatMap((each) =>
      (each ?? []).map(({ HostPort }) => Number(HostPort)),
    ),
    ours: Config.Labels?.[ourLabel] === "registry",
  };
}
