import { get } from "node:http";
import { KubeConfig } from "@kubernetes/client-node";
import { resources } from "../server/recording.ts";
import type { StartSubject } from "./subject.ts";

/**
 * No informer: splits the bytes of a watch at newlines. No informer over node:http can be faster, and the row
 * shows that the server is faster than its clients.
 */
export const floor: StartSubject = (resource, onObject) => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromDefault();
  const url = `${kubeConfig.getCurrentCluster()?.server}${resources[resource].path}`;
  const query =
    "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const request = get(`${url}?${query}`, (response) => {
    response.on("data", (bytes: Buffer) => {
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) onObject("", "");
    });
  });
  return { informer: request };
};
