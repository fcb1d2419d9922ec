import type { SimulatedImage } from "../runtime/contracts.ts";
import { alpine } from "./alpine.ts";
import { busybox } from "./busybox.ts";
import { memcached } from "./memcached/memcached.ts";
import { nginx, nginxUnprivileged } from "./nginx/nginx.ts";
import { pause } from "./pause.ts";
import { payment } from "./payment.ts";

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
