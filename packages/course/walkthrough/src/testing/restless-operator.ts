import { pathToFileURL } from "node:url";

const library = (name: string): string =>
  pathToFileURL(import.meta.resolve(name).replace(/^file:\/\//, "")).href;

/** The faults of `restlessOperator`, by name. */
const faults = {
  nothing: "",
  requeues: 'queue.add("default/web"); work = () => ({ requeueAfter: 1 });',
  writes:
    'setInterval(() => maps.patch("web", { data: { now: String(Date.now()) } }, { type: "merge" }), 50);',
  "writes-what-is-there":
    'informers.informer(toys).addEventHandler({ updated: (_, { metadata }) => client.resource(toys).namespace("default").patch(metadata.name, { spec: { a: "1" } }, { type: "merge" }) }); informers.start(signal); await informers.waitForSync(signal);',
  reads: 'setInterval(() => maps.get("web"), 50);',
  "watches-twice":
    "const other = createInformerFactory(client); other.informer(configMaps); other.start(signal);",
  "looks-too-far":
    'client.resource(pods).list({ labelSelector: "app=web" }).then(({ items }) => maps.patch("web", { data: { pods: String(items.length) } }, { type: "merge" }));',
  "writes-too-far":
    'for (const { metadata } of (await client.resource(pods).list({ labelSelector: "app=web" })).items) await client.resource(pods).namespace(metadata.namespace).patch(metadata.name, { metadata: { labels: { seen: "yes" } } }, { type: "merge" });',
};

export type Fault = keyof typeof faults;

/** Returns the source of an operator that watches ConfigMaps and has one fault. */
export function restlessOperator(fault: Fault): string {
  return `import { configMaps, createClient, defineResource, KubeConfig, pods } from "${library("@operator-path/client")}";
import { createInformerFactory, createWorkQueue, runWorkers } from "${library("@operator-path/informers")}";
const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const client = createClient(kubeConfig, { userAgent: "web-operator" });
const maps = client.resource(configMaps).namespace("default");
const { signal } = new AbortController();
const informers = createInformerFactory(client);
const toys = defineResource({ group: "example.com", version: "v1", kind: "Toy", plural: "toys", namespaced: true });
informers.informer(configMaps).addEventHandler({});
informers.start(signal);
await informers.waitForSync(signal);
const queue = createWorkQueue({ name: "web" });
let work = () => ({});
runWorkers(queue, { process: () => work() }, signal);
${faults[fault]}
console.log("watching");
`;
}
