import type { Client, Clock, Service } from "@operator-path/client";
import type { VolumeContent } from "../filesystem/volume.ts";
import type { AddressRange } from "../network/address-range.ts";
import type { PodNetwork } from "../network/pod-network.ts";
import type { ImageManager } from "./image-manager.ts";
import type { PersistentVolumes } from "./persistent-volumes.ts";
import type { Recorder } from "./pod-events.ts";

/** What a Pod's worker needs of its node. */
export interface NodeContext {
  client: Client;
  clock: Clock;
  random: () => number;
  recorder: Recorder;
  images: ImageManager;
  network: PodNetwork;
  addresses: AddressRange;
  /** Every Service that is known, for the containers' environment. */
  services(): readonly Service[];
  persistentVolumes: PersistentVolumes;
  /** Puts volumes on the host's disk, for containers that are its processes. */
  shareVolumes?(volumes: Iterable<VolumeContent>): void;
  nodeName: string;
  nodeIP: string;
  log(message: string): void;
}
