import { isDeepStrictEqual } from "node:util";
import { type Condition, defineResource, type Frozen, type KubeObject } from "@operator-path/client";
import {
  addFinalizer,
  asReconciler,
  type Channel,
  type Client,
  channelSource,
  containsFinalizer,
  enqueueRequestForObject,
  generationChanged,
  type Manager,
  type NewCondition,
  newControllerManagedBy,
  type Reconciler,
  removeFinalizer,
  setStatusCondition,
  TerminalError,
} from "@operator-path/controller-runtime";
import { type DnsApi, DnsError, type Entry } from "./dns-api.ts";

export interface DnsRecord extends KubeObject {
  spec?: { host: string; address: string };
  status?: { id?: string; conditions?: Condition[] };
}

export const dnsRecords = defineResource<DnsRecord>({
  ...{ group: "dns.example.com", version: "v1", kind: "DnsRecord", plural: "dnsrecords" },
  namespaced: true,
});

const finalizer = "dns.example.com/entry";

export interface DnsOptions {
  readonly api: DnsApi;
  /** Milliseconds between two checks of an entry. Default 600,000, ten minutes. */
  readonly pollInterval?: number;
  /** Reports records whose entries have changed at the provider. The handler of its webhook sends to it. */
  readonly changes?: Channel<DnsRecord>;
}

/** Creates the reconciler of DnsRecords. */
export function createDnsRecordReconciler(
  client: Client,
  { api, pollInterval = 600_000 }: DnsOptions,
): Reconciler {
  return asReconciler(client, dnsRecords, async (found, { signal }) => {
    if (found.metadata?.deletionTimestamp) return cleanUp(found, signal);
    const wanted = addFinalizer(found, finalizer);
    const record = wanted === found ? found : await client.update(wanted);
    try {
      const { id } = await ensureEntry(record, signal);
      await writeStatus(record, id, { type: "Ready", status: "True", reason: "Synced", message: "" });
      return { requeueAfter: pollInterval };
    } catch (error) {
      if (!(error instanceof DnsError)) throw error;
      const reason = error.isPermanent ? "Rejected" : "ProviderFailed";
      const { message } = error;
      await writeStatus(record, record.status?.id, { type: "Ready", status: "False", reason, message });
      if (error.isPermanent) throw new TerminalError(error);
      if (error.retryAfter) return { requeueAfter: error.retryAfter };
      throw error;
    }
  });

  async function ensureEntry(record: Frozen<DnsRecord>, signal: AbortSignal): Promise<Entry> {
    const { host = "", address = "" } = record.spec ?? {};
    const owner = ownerOf(record);
    const entry = await findEntry(record, signal);
    if (!entry) return api.create({ owner, host, address }, signal);
    const wanted = { ...entry, host, address };
    return isDeepStrictEqual(wanted, entry) ? entry : api.update(wanted, signal);
  }

  // The id is missing after a crash between `create` and the status write. Then the owner tag finds the entry.
  async function findEntry(record: Frozen<DnsRecord>, signal: AbortSignal): Promise<Entry | undefined> {
    const { id } = record.status ?? {};
    const stored = id === undefined ? undefined : await api.get(id, signal);
    return stored ?? (await api.findByOwner(ownerOf(record), signal));
  }

  async function cleanUp(record: Frozen<DnsRecord>, signal: AbortSignal): Promise<void> {
    if (!containsFinalizer(record, finalizer)) return;
    const entry = await findEntry(record, signal);
    if (entry) await api.remove(entry.id, signal);
    await client.update(removeFinalizer(record, finalizer));
  }

  async function writeStatus(
    record: Frozen<DnsRecord>,
    id: string | undefined,
    condition: NewCondition,
  ): Promise<void> {
    const observedGeneration = record.metadata?.generation;
    const conditions = setStatusCondition(record.status?.conditions, { ...condition, observedGeneration });
    const status = { ...(id !== undefined && { id }), conditions };
    if (!isDeepStrictEqual(status, record.status)) await client.status.update({ ...record, status });
  }
}

/** The tag of a record's entry. Names are not unique among the clusters that share a provider. */
function ownerOf(record: Frozen<DnsRecord>): string {
  return record.metadata?.uid ?? "";
}

/** Adds the controller of DnsRecords to the manager. */
export function setupDnsRecords(manager: Manager, options: DnsOptions): void {
  const builder = newControllerManagedBy(manager)
    // The operator's own status writes must not repeat a rejected request or cut a `requeueAfter` short.
    .for(dnsRecords, { predicates: [generationChanged] });
  if (options.changes) builder.watchesRawSource(channelSource(options.changes, enqueueRequestForObject));
  builder.complete(createDnsRecordReconciler(manager.client, options));
}
