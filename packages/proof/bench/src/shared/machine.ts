import { cpus, totalmem } from "node:os";

/** In a line, what figures belong to. */
export function machine(): string {
  const [cpu] = cpus();
  const gib = (totalmem() / 2 ** 30).toFixed(0);
  return `Node ${process.versions.node} with NODE_ENV=production, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model.trim() ?? "unknown CPU"}, ${gib} GiB.`;
}
