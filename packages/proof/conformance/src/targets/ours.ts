import { type ApiServerOptions, startApiServer } from "@operator-path/apiserver";
import { createTarget, type Target } from "../target.ts";

/** The embedded API server, in this process, without controllers. `log` is told of its own mistakes. */
export async function startOurs(
  log: (line: string) => void,
  options: Pick<ApiServerOptions, "clock"> = {},
): Promise<Target> {
  const server = await startApiServer({ log, ...options });
  return createTarget("embedded", server, () => server.stop());
}
