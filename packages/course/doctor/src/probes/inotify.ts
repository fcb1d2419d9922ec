import type { Machine } from "../machine.ts";
import { raiseInotify } from "../mending/mend-system.ts";
import type { Probe } from "../probe.ts";
import { readText } from "../read-text.ts";

/** The limits that kind recommends. Nodes are containers, and share the limits of the machine. */
const enough = { watches: 524_288, instances: 512 };

/**
 * Low limits cause "too many open files" in Pods of kind. On macOS, the limits are those of the engine's
 * virtual machine.
 */
export const inotifyProbe: Probe = {
  subject: "inotify",
  neededFor: ["kind"],
  async look({ machine }) {
    const watches = await limit(machine, "max_user_watches");
    const instances = await limit(machine, "max_user_instances");
    if (watches === undefined || instances === undefined) return [];
    const base = {
      subject: "inotify",
      found: `${watches} watches, ${instances} instances`,
      neededFor: this.neededFor,
    };
    if (watches >= enough.watches && instances >= enough.instances) return [{ ...base, state: "ok" }];
    const details = [
      `Two nodes may work with it. More nodes report "too many open files". kind recommends ${enough.watches} and ${enough.instances}.`,
    ];
    return [{ ...base, state: "weak", details, mend: raiseInotify(enough.watches, enough.instances) }];
  },
};

async function limit(machine: Machine, name: string): Promise<number | undefined> {
  const text = await readText(machine, `proc/sys/fs/inotify/${name}`);
  const value = Number.parseInt(text ?? "", 10);
  return Number.isNaN(value) ? undefined : value;
}
