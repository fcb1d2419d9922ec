import { clusterNeeds, inGigabytes } from "@operator-path/kind";
import { kindNodeImage } from "@operator-path/tools";
import { ask } from "../ask.ts";
import type { Probe } from "../probe.ts";

/** The image of kind's nodes. If it is missing, the first cluster has to wait minutes for its download. */
export const nodeImageProbe: Probe = {
  subject: "node image",
  neededFor: ["kind"],
  async look({ machine, engines }) {
    const image = machine.env.KIND_NODE_IMAGE || kindNodeImage;
    const engine = (await engines).find(({ status }) => status === "ready");
    if (!engine) return [];
    const base = { subject: "node image", neededFor: this.neededFor };
    const { outcome } = await ask(machine, engine.path, ["image", "inspect", "--format", "{{.Id}}", image]);
    if (outcome === "answered") return [{ ...base, state: "ok", found: image }];
    return [
      {
        ...base,
        state: "note",
        found: `${image}, not on this machine yet`,
        details: [
          `The first cluster downloads it: about ${inGigabytes(clusterNeeds.download)}. Without access to a registry, set KIND_NODE_IMAGE to an image on this machine.`,
        ],
        mend: { commands: [`${engine.name} pull ${image}`] },
      },
    ];
  },
};
