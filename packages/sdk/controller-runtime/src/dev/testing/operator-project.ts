import {
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installSdk } from "./install-sdk.ts";

/** A project like an author's: sources, and the SDK in node_modules. */
export interface OperatorProject {
  readonly folder: string;
  /** @param path relative to the project's folder */
  save(path: string, text: string): void;
  remove(): void;
}

const main = `
import { defineResource, KubeConfig } from "@operator-path/client";
import { createManager, createScheme, ignoreNotFound, newControllerManagedBy, newWebhookManagedBy, setupSignalHandler } from "@operator-path/controller-runtime";
import { colour, leave } from "./colour.ts";

const memcacheds = defineResource<any>({ group: "cache.example.com", version: "v1alpha1", kind: "Memcached", plural: "memcacheds", namespaced: true });
const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const certificates = { namespace: "default", name: "dev-certificates" };
const manager = createManager(kubeConfig, {
  scheme: createScheme(memcacheds),
  userAgent: "operator/" + process.pid,
  // A process that must wait for the Lease to expire waits longer than any test.
  leaderElection: { id: "dev", namespace: "default", leaseDuration: 3_600_000 },
  healthProbeBindAddress: "127.0.0.1:0",
  metricsServer: { bindAddress: "127.0.0.1:0", secure: false },
  webhookServer: {
    ...{ port: 0, host: "127.0.0.1" },
    issueCertificates: { secret: certificates, service: { name: "dev" }, names: ["127.0.0.1"], inject: { mutatingWebhookConfigurations: ["dev"] } },
  },
});
newControllerManagedBy(manager).for(memcacheds).complete(async (request) => {
  const found = await manager.client.get(memcacheds, request).catch(ignoreNotFound);
  if (found && found.status?.nodes?.[0] !== colour) await manager.client.status.update({ ...found, status: { nodes: [colour] } });
});
newWebhookManagedBy(manager).for(memcacheds).withDefaulter((memcached) => {
  memcached.metadata.annotations = { ...memcached.metadata.annotations, colour };
}).complete();
manager.elected.then(() => {
  console.log("RUNS " + JSON.stringify({ pid: process.pid, args: process.argv.slice(2), metrics: manager.metricsAddress(), health: manager.healthProbeAddress(), webhook: manager.webhookServer.port() }));
});
manager.add({
  async start(signal) {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await leave(manager.client);
  },
});
await manager.start(setupSignalHandler());
`;

/** An operator that writes its colour into the status of each Memcached, and as an annotation at creation. */
export function createOperatorProject(): OperatorProject {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "operator-dev-")));
  const folder = join(parent, "operator");
  mkdirSync(folder);
  function save(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // Without an empty file in between, which the operator could be started with.
    const file = openSync(join(folder, path), constants.O_RDWR | constants.O_CREAT);
    ftruncateSync(file, writeSync(file, text));
    closeSync(file);
  }
  installSdk(folder);
  save("package.json", JSON.stringify({ name: "operator", type: "module" }));
  save("src/main.ts", main);
  save("src/colour.ts", colourModule("red"));
  return { folder, save, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/**
 * @param leave code that runs when the operator stops, with `client`. The operator holds the Lease until it
 *   ends.
 */
export const colourModule = (colour: string, leave = "") =>
  `export const colour: string = ${JSON.stringify(colour)};\nexport async function leave(client: any) { ${leave} }\n`;
