import { get } from "node:http";
import { KubeConfig } from "@kubernetes/client-node";
import { resources } from "../server/recording.ts";
import type { StartSubject } from "./subject.ts";

/**
 * No informer: the bytes of a watch are split at newlines, and that is all. What no informer over node:http can beat, and
 * the proof that the server is quicker than its clients.
 */
export const floor: StartSubject = (resource, told) => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromDefault();
  const url = `${kubeConfig.getCurrentCluster()?.server}${resources[resource].path}`;
  const query =
    "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const request = get(`${url}?${query}`, (response) => {
    response.on("data", (bytes: Buffer) => {
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) told("", "");
    });
  });
  return { informer: request };
};
