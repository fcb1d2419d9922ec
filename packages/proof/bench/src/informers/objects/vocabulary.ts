import type { Random } from "./random.ts";

/** The words of generated names. */
export const teams = ["payments", "search", "checkout", "identity", "ledger", "media", "orders", "platform"];
export const roles = ["api", "worker", "cache", "gateway", "scheduler", "exporter", "proxy", "migrator"];

const settings = [
  "LOG_LEVEL",
  "DATABASE_URL",
  "REDIS_ADDR",
  "FEATURE_FLAGS",
  "REGION",
  "QUEUE_NAME",
  "TIMEOUT",
];
const sentences = [
  "containers with unready status: [main]",
  "0/12 nodes are available: 3 Insufficient memory, 9 node(s) didn't match Pod's node affinity/selector.",
  'Back-off pulling image "registry.example.com/team/app:1.2.3"',
  "Révision prête après 3 essais",
  "設定が反映されました",
  "rollout <stable> & canary healthy 🚀",
];
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

export const sentence = (random: Random): string => random.pick(sentences);

/** Returns a suffix like that of a ReplicaSet's Pods. */
export const suffix = (random: Random, length = 5): string =>
  random.text(length, "bcdfghjklmnpqrstvwxz2456789");

/** Returns the name and the value of a setting: a short word, an address, or a long text. */
export function setting(random: Random, index: number): { name: string; value: string } {
  const name = `${random.pick(settings)}_${index}`;
  const kind = random.next();
  if (kind < 0.3) return { name, value: random.text(4 + random.below(12), alphabet) };
  if (kind < 0.7) {
    const host = `${random.pick(roles)}-${random.below(40)}.${random.pick(teams)}.svc.cluster.local`;
    return { name, value: `https://${host}:8443/v1/${random.text(24, alphabet)}?retries=3&timeout=5s` };
  }
  return { name, value: `${random.text(40 + random.below(160), `${alphabet}     -_=`)}${sentence(random)}` };
}

/** Returns an annotation as tools write them: checksums, JSON in a string, prose. */
export function annotation(random: Random, index: number): [string, string] {
  const kind = random.next();
  const name = `${random.pick(teams)}.example.com/note-${index}`;
  if (kind < 0.4) return [`checksum/config-${index}`, random.text(64)];
  if (kind < 0.7) {
    const owner = {
      owner: random.pick(teams),
      tier: random.below(4),
      tags: [random.pick(roles), "a\\b", '"q"'],
    };
    return [name, JSON.stringify(owner)];
  }
  return [name, `${sentence(random)} ${random.text(20 + random.below(100), `${alphabet}   `)}`];
}

/**
 * Returns the size of an object in bytes, without managedFields: log-normal, so most are small and a few
 * large.
 */
export function targetSize(random: Random, middle: number): number {
  return Math.min(9_500, middle * Math.exp(0.6 * random.normal()));
}

/** Returns a moment of the last year in the API's format. */
export function moment(random: Random): string {
  return new Date(
    Date.UTC(
      2026,
      random.below(11),
      1 + random.below(28),
      random.below(24),
      random.below(60),
      random.below(60),
    ),
  )
    .toISOString()
    .replace(".000Z", "Z");
}
