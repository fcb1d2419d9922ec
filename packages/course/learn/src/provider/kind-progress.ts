import type { KindEvent } from "@operator-path/cluster";
import pc from "picocolors";

/** Progress of a cluster's creation: a line for each step when it has ended, with its time. */
export function kindProgress(
  stream: { write(text: string): unknown; readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv = process.env,
): (event: KindEvent) => void {
  const colors = pc.createColors(stream.isTTY === true && !env.NO_COLOR);
  return (event) => {
    if (event.type === "note") stream.write(`  ${colors.dim(event.text)}\n`);
    else if (event.type !== "begun") {
      const mark = event.type === "done" ? colors.green("✓") : colors.red("✗");
      stream.write(`  ${mark} ${event.step}  ${colors.dim(`${event.seconds.toFixed(1)} s`)}\n`);
    }
  };
}
