import type { Difference } from "./compare.ts";
import type { Script } from "./script.ts";

/** Where the embedded server answers otherwise on purpose. */
export interface KnownDifference {
  /** `area: name` of the scripts. */
  readonly script: RegExp;
  /** Of `Difference.path`. */
  readonly path: RegExp;
  /** Why it may stay, and what a user would notice. */
  readonly reason: string;
}

/** Where a client's mistake is the server's own failure on a real server. */
const no500 =
  "A mistake of the client that a real server answers with 500 is a 400 (or 409) here: this server has no 500s.";
const yamlWords = "Why a text is no YAML is said in the words of our parser (yaml), not of Go's.";
const notServed =
  "Kinds that no tutorial and no operator of the path meets are not served: autoscaling/v1, resource.k8s.io, componentstatuses, ServiceCIDRs, MutatingAdmissionPolicies.";
const oldDaemonSets =
  "A real server writes the annotation deprecated.daemonset.template.generation before it says who manages what; here it is nobody's.";

export const knownDifferences: readonly KnownDifference[] = [
  {
    script:
      /^(bad input: 19 |lists and watches: (a version in the future|a watch from a version)|patches: strategic: what fails|writing: create with a version|validation: Pod: binding)/,
    path: /^(status|message|body\.(code|reason|message))$/,
    reason: no500,
  },
  { script: /^bad input: 0[13] /, path: /^body\.message$/, reason: yamlWords },
  {
    script: /^discovery: |^kubectl: rights$|^writing: verbs that|^access: what everybody/,
    path: /^(body\.(resources|groups)|status|message|body\.(code|reason|message))/,
    reason: notServed,
  },
  { script: /^kubectl: a node$/, path: /./, reason: notServed },
  {
    script: /^validation: HorizontalPodAutoscaler$/,
    path: /./,
    reason:
      "HorizontalPodAutoscalers are stored, and not validated beyond their schema: nothing here scales.",
  },
  {
    script: /^(discovery: the core group|access: what everybody may ask)$/,
    path: /^body\.serverAddressByClientCIDRs/,
    reason: "A real server names an address for clients that choose one; this one is on loopback alone.",
  },
  { script: /: (DaemonSet|workloads)$/, path: /managedFields|metadata\.annotations$/, reason: oldDaemonSets },
  {
    script: /^access: SelfSubjectAccessReview$/,
    path: /^body\.status\.reason$/,
    reason:
      "Of several bindings that allow a request, a real server names the one that a Go map gives it first.",
  },
  {
    script: /^lists and watches: a watch through the path$/,
    path: /./,
    reason:
      "The deprecated paths /api/v1/watch/… are not served: `?watch=true` is what clients have used for years.",
  },
  {
    script: /^lists and watches: a list across namespaces, by selector$/,
    path: /^body\.metadata\.continue$/,
    reason:
      "A real server gives a continue token when it has not looked further, though nothing may follow; this one has looked.",
  },
  {
    script: /^lists and watches: a continue token of nonsense$/,
    path: /^body\.message$/,
    reason: "Why a made-up token is none is said without the words of Go's JSON parser.",
  },
  {
    script: /^lists and watches: a watch from a version that is none$/,
    path: /^body$/,
    reason: "A watch with a continue token is none of any client's; a real server finds its version too old.",
  },
  {
    script:
      /^lists and watches: a watch sees a graceful deletion$|^kubectl: a Deployment, by hand$|^custom resources: a definition read again$/,
    path: /resourceVersion$/,
    reason:
      "How many versions an object goes through while it is deleted, or while a definition is accepted, is counted otherwise; that they grow is the same.",
  },
  {
    script: /^patches: (json: the whole document|merge: of the name)/,
    path: /./,
    reason:
      "A patch that changes apiVersion, kind or the whole document is refused, or let through, at another point: no client sends one.",
  },
  {
    script: /^(patches: media types|writing: a media type that nobody has)$/,
    path: /^body\.(details|message)$/,
    reason: "A media type that nobody takes is refused in fewer words.",
  },
  {
    script: /^writing: (names in the path|bodies of the wrong kind)$|^bad input: 06 |^discovery: health$/,
    path: /./,
    reason:
      "Paths and types that no client makes up are refused in slightly other words, or read more generously.",
  },
  {
    script: /^writing: (create what the server sets|a headless Service|a namespace)$/,
    path: /./,
    reason:
      "A generation set by the client, labels that a PUT on /finalize leaves out, and a cluster IP out of range are not as strictly handled yet.",
  },
  {
    script: /^writing: generateName that is no name$/,
    path: /./,
    reason:
      "The name in the message is generated; where it is bad, a real server says so of the prefix as well.",
  },
  {
    script: /^bad input: (09|10|15|deep)/,
    path: /^body\./,
    reason:
      "The way in which Go prints a large number, bytes or a depth differs; status, reason and field are the same.",
  },
  {
    script: /^validation: (Pod: host settings|Job|LimitRange|Event|Metadata|Node)$/,
    path: /./,
    reason:
      "Of these kinds, a few rules are not here yet (RuntimeClass, scheduling gates, Job selectors and failure policies, events.k8s.io's own rules, a negative generation): what a real server refuses is let through, and what follows differs.",
  },
  {
    script: /^admission: a policy with parameters$/,
    path: /./,
    reason:
      "A real server needs a while to learn of a policy's paramKind, and refuses everything until then.",
  },
  {
    script:
      /^apply: (.*an item twice|.*values of the wrong type|what the schema does not know|what is applied has to be valid|field validation|types that do not fit|sets|maps by key|a custom resource: (items that cannot be told apart|a field that the schema does not know))$/,
    path: /^(status|body\.(code|reason))$/,
    reason:
      "A configuration that does not fit the schema is a 500 without a reason on a real server; here it is a 400 (BadRequest) with the same message: it is the client's mistake.",
  },
  {
    script: /^apply: what is missing$/,
    path: /^body\.message$/,
    reason: "Why a text is no YAML is said in the words of our parser (yaml), not of Go's.",
  },
];

/** The reason why a difference may be there, or undefined. */
export function explain(script: Script, difference: Difference): KnownDifference | undefined {
  const name = `${script.area}: ${script.name}`;
  return knownDifferences.find((known) => known.script.test(name) && known.path.test(difference.path));
}
