import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { writePrivateFile } from "@operator-path/cluster/private-file";
import { z } from "zod";
import type { Session } from "./session.ts";

const run = promisify(execFile);

/** How long one command may take, in milliseconds. The learner waits for it. */
const patienceMs = 60_000;

const schema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    deletionTimestamp: z.string().optional(),
    ownerReferences: z.array(z.unknown()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
    managedFields: z.array(z.looseObject({ manager: z.string().optional() })).optional(),
  }),
  spec: z.looseObject({}).optional(),
});
type ClusterObject = z.infer<typeof schema>;
const list = z.object({ items: z.array(schema) });
/** Also with the names of the images that the learner built, as `podbuggertool:v1.0.0`. */
const savedSchema = list.extend({
  images: z.array(z.string()).default([]),
  /** Name of the page that the learner worked on: `02-memcached-operator/3`. */
  page: z.string().optional(),
  /** The namespace that kubectl used. */
  namespace: z.string().optional(),
});
type Saved = z.infer<typeof savedSchema>;

/** Field managers of the cluster's own parts. */
const components = /^(?:kube-.*|kubelet|unknown|operator-path|clusterrole-aggregation-controller)$/;

/** Kinds whose objects the cluster makes itself, or that another cluster cannot take. */
const ownKinds = "^(events|leases|endpoints|endpointslices|nodes|apiservices|ipaddresses|pods)(\\.|$)";

type Place = Pick<Session, "env" | "workshops" | "tutorial">;

/**
 * Saves the objects that the learner or an operator made and that nothing owns, so that the next session can
 * make them again. Pods and states are not saved.
 *
 * @param page name of the page that the learner worked on
 */
export async function saveObjects(session: Place, page: string): Promise<void> {
  const kinds = `kubectl api-resources --verbs=list,create -o name | grep -vE '${ownKinds}' | paste -sd, -`;
  // kubectl prints all other kinds if one cannot be listed, as with a conversion webhook that is not running.
  const command = `kubectl get "$(${kinds})" --all-namespaces --output json --show-managed-fields || :`;
  const { items } = list.parse(JSON.parse(await bash(command, session)));
  const made = items.filter(({ kind, metadata }) => {
    const owned = (metadata.ownerReferences ?? []).length > 0;
    return !owned && metadata.deletionTimestamp === undefined && isOfPeople(kind, metadata);
  });
  // Secrets are among them.
  const images = await builtImages(session);
  const namespace = (
    await bash("kubectl config view --minify -o jsonpath='{..namespace}' || :", session)
  ).trim();
  const saved = {
    page,
    items: made.map(asNew),
    images,
    ...(!/^(?:default)?$/.test(namespace) && { namespace }),
  };
  await writePrivateFile(fileOf(session), `${JSON.stringify(saved, null, 2)}\n`);
  await rm(unsavedFileOf(session), { force: true });
}

/** Reports whether a part of the cluster did not make the object alone. */
function isOfPeople(
  kind: string,
  { name, namespace = "", managedFields = [] }: ClusterObject["metadata"],
): boolean {
  // `kubectl create serviceaccount` sets no field that could have a manager.
  if (managedFields.length === 0)
    return kind === "ServiceAccount" && name !== "default" && !namespace.startsWith("kube-");
  return managedFields.some(({ manager = "unknown" }) => !components.test(manager));
}

/** Returns the names of the images that the learner built. */
async function builtImages(session: Place): Promise<string[]> {
  const table = await bash("container-tool images || :", session).catch(() => "");
  return table
    .split("\n")
    .slice(1)
    .flatMap((row) => {
      const [repository, tag] = row.split(/\s+/);
      return repository && tag ? `${repository}:${tag}` : [];
    });
}

/** Notes that a session has begun whose objects are not saved yet. `saveObjects` removes the note. */
export async function noteUnsaved(place: Pick<Place, "workshops">): Promise<void> {
  await mkdir(place.workshops, { recursive: true });
  await writeFile(unsavedFileOf(place), `${process.pid}\n`);
}

/** Reports whether an earlier session has ended without saving its objects. */
export async function wasLeftUnsaved(place: Pick<Place, "workshops">): Promise<boolean> {
  const pid = Number(await readFile(unsavedFileOf(place), "utf8").catch(() => ""));
  return pid > 0 && pid !== process.pid && !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Forgets the saved objects of all pages of the tutorial. */
export async function forgetObjects(place: Pick<Place, "workshops">): Promise<void> {
  const files = await readdir(place.workshops).catch(() => []);
  for (const file of files.filter((one) => /^cluster(?:-\d+)?\.json$/.test(one)))
    await rm(join(place.workshops, file), { force: true });
  await rm(unsavedFileOf(place), { force: true });
}

/** Reports whether a page comes after another one of its tutorial. */
export function isLater(page: string, other: string): boolean {
  return page.localeCompare(other, "en", { numeric: true }) > 0;
}

/**
 * Puts the saved objects of a later page aside, which would disturb an earlier one, and takes those of this page that
 * were put aside before. Returns the name of the page whose objects are aside now. Undefined: there are none.
 */
export async function takeObjectsOf(
  page: string,
  place: Pick<Place, "workshops">,
): Promise<string | undefined> {
  const saved = await readSaved(place);
  const from = saved?.page;
  const own = asideFileOf(place, page);
  if (from === undefined || from === page || !(isLater(from, page) || existsSync(own))) return undefined;
  await rename(fileOf(place), asideFileOf(place, from));
  if (existsSync(own)) await rename(own, fileOf(place));
  return saved?.items.length === 0 ? undefined : from;
}

/** Returns the page whose objects are saved. Undefined: there are none. */
export async function savedPage(place: Pick<Place, "workshops">): Promise<string | undefined> {
  return (await readSaved(place))?.page;
}

/** The objects of an earlier session, as `configmap/mine`. */
export interface RestoredObjects {
  readonly made: readonly string[];
  /** They are missing: the cluster rejects them. */
  readonly missing: readonly string[];
  /** Images that the objects need, and that the learner built for the cluster of the earlier session. */
  readonly missingImages: readonly string[];
  /** The namespace that kubectl uses again. Undefined: the default one. */
  readonly namespace: string | undefined;
}

/**
 * Makes the saved objects again in a new cluster: definitions first, then namespaces, then all others. Returns
 * undefined if there are none, or if the saved file is damaged.
 */
export async function restoreObjects(session: Place): Promise<RestoredObjects | undefined> {
  const read = await readSaved(session);
  if (read === undefined || read.items.length === 0) return undefined;
  const saved = read.items;
  const first = ["CustomResourceDefinition", "Namespace"];
  const rank = ({ kind }: ClusterObject): number => first.indexOf(kind) + 1 || first.length + 1;
  const made: string[] = [];
  for (const at of new Set(saved.map(rank).sort())) {
    const items = saved.filter((object) => rank(object) === at);
    // kubectl goes on after an object that the cluster rejects, and prints each one that it has made.
    const output = await kubectlWith(items, "create --output name", session);
    const created = output.split("\n").filter((line) => line !== "");
    made.push(...created);
    // `kubectl create` writes the whole object into the annotation, with defaults. The next `kubectl apply` would try
    // to remove them. `set-last-applied` changes nothing if one of the objects is missing.
    const applied = items.filter((object) => created.includes(nameOf(object))).flatMap(lastApplied);
    await kubectlWith(applied, "apply set-last-applied", session);
    if (items.some(({ kind }) => kind === "CustomResourceDefinition"))
      await bash("kubectl wait --for=condition=Established crd --all --timeout=10s", session);
  }
  const names = new Set(made);
  const missing = saved.map(nameOf).filter((name) => !names.has(name));
  const namespace = missing.includes(`namespace/${read.namespace}`) ? undefined : read.namespace;
  if (namespace !== undefined)
    await bash('kubectl config set-context --current --namespace="$ARGUMENT"', session, namespace);
  return { made, missing, missingImages: usedImages(read), namespace };
}

/** Runs a kubectl command with the objects in a file, which is removed. Errors of kubectl count as no output. */
async function kubectlWith(items: readonly unknown[], command: string, session: Place): Promise<string> {
  if (items.length === 0) return "";
  const group = `${fileOf(session)}.group`;
  await writePrivateFile(group, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const output = await bash(`kubectl ${command} --filename "$ARGUMENT" 2>/dev/null || :`, session, group);
  await rm(group, { force: true });
  return output;
}

/** Returns the object as `kubectl apply` was given it. Empty if it was made in another way. */
function lastApplied({ metadata: { annotations } }: ClusterObject): unknown[] {
  const object = parsed(annotations?.["kubectl.kubernetes.io/last-applied-configuration"] ?? "");
  return object === undefined ? [] : [object];
}

async function readSaved(place: Pick<Place, "workshops">): Promise<Saved | undefined> {
  const text = await readFile(fileOf(place), "utf8").catch(() => undefined);
  return text === undefined ? undefined : savedSchema.safeParse(parsed(text)).data;
}

/** Returns the built images that containers of the saved objects name. */
function usedImages({ items, images }: Saved): string[] {
  const text = JSON.stringify(items.map(({ spec }) => spec)).replaceAll(/"docker\.io\/(?:library\/)?/g, '"');
  return images.filter((image) => text.includes(`"image":${JSON.stringify(image)}`));
}

/** Returns kubectl's name of an object: `configmap/mine`, `podbuggertool.ualter.com/one`. */
function nameOf({ apiVersion, kind, metadata }: ClusterObject): string {
  const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
  return `${kind.toLowerCase()}${group}/${metadata.name}`;
}

/** Returns an object without what the server sets. */
function asNew(object: ClusterObject): unknown {
  const { status: _status, ...rest } = object;
  const { managedFields: _fields, ...metadata } = object.metadata;
  for (const field of ["uid", "resourceVersion", "generation", "creationTimestamp", "selfLink"])
    delete metadata[field];
  if (object.kind !== "Service" || object.spec?.clusterIP === "None") return { ...rest, metadata };
  const { clusterIP: _ip, clusterIPs: _ips, ...spec } = object.spec ?? {};
  return { ...rest, metadata, spec };
}

/**
 * Runs a command to its end, also if the learner types Ctrl+C meanwhile: a terminal sends SIGINT to kubectl, too, and
 * objects that a stopped kubectl has not made would be missing from the next save.
 */
async function bash(command: string, { env, tutorial }: Place, argument = ""): Promise<string> {
  const options = {
    env: { ...env, ARGUMENT: argument },
    cwd: tutorial,
    timeout: patienceMs,
    maxBuffer: 2 ** 26,
  };
  return (await run("bash", ["-c", `trap '' INT; ${command}`], options)).stdout;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fileOf({ workshops }: Pick<Place, "workshops">): string {
  return join(workshops, "cluster.json");
}

/** The saved objects of a page while the cluster has those of another one. */
function asideFileOf({ workshops }: Pick<Place, "workshops">, page: string): string {
  return join(workshops, `cluster-${/\d+$/.exec(page)?.[0] ?? 1}.json`);
}

function unsavedFileOf({ workshops }: Pick<Place, "workshops">): string {
  return join(workshops, ".cluster-unsaved");
}
