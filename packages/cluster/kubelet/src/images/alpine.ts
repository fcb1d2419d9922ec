import type { SimulatedImage } from "../runtime/contracts.ts";
import { BUSYBOX_TOOLS, busyboxFiles } from "./busybox.ts";

/** alpine of any tag: BusyBox under another name. There is no package manager: nothing could be downloaded. */
export const alpine: SimulatedImage = {
  repository: "docker.io/library/alpine",
  tags: "any",
  config: { cmd: ["/bin/sh"] },
  files: (tag) => {
    const version = /^\d+(\.\d+)*/.exec(tag)?.[0];
    return {
      ...busyboxFiles(),
      "/etc/os-release": `NAME="Alpine Linux"\nID=alpine\n${version ? `VERSION_ID=${version}\nPRETTY_NAME="Alpine Linux v${version} (simulated)"` : 'PRETTY_NAME="Alpine Linux (simulated)"'}\nHOME_URL="https://alpinelinux.org/"\n`,
      ...(version ? { "/etc/alpine-release": `${version}\n` } : {}),
    };
  },
  programs: {},
  shell: { flavour: "busybox", paths: ["/bin/sh", "/bin/ash"], tools: BUSYBOX_TOOLS, toolDirectory: "/bin" },
};
