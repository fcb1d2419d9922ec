import type { Program, SimulatedImage } from "../runtime/contracts.ts";
import { untilSignalled } from "../runtime/spawn.ts";
import { alpine, busybox } from "./busybox.ts";
import { memcached } from "./memcached/memcached.ts";
import { nginx, nginxUnprivileged } from "./nginx.ts";
import { payment } from "./payment.ts";

const run: Program = async (context) => {
  await untilSignalled(context, ["SIGTERM", "SIGINT"]);
  context.stderr("Shutting down, got signal\n");
  return 0;
};

/** registry.k8s.io/pause: waits for SIGTERM or SIGINT. */
const pause: SimulatedImage = {
  repository: "registry.k8s.io/pause",
  tags: "any",
  config: { entrypoint: ["/pause"], user: "65535:65535" },
  files: () => ({ "/pause": { content: "simulated executable\n", mode: 0o755 } }),
  programs: { "/pause": run },
};

/** The images that every simulated node can run. */
export const defaultImages: readonly SimulatedImage[] = [
  alpine,
  busybox,
  memcached,
  nginx,
  nginxUnprivileged,
  pause,
  payment,
];
