/** The value of a flag of helm. `list` is paths separated by commas; `file` is `key=path`. */
export type FlagKind = "path" | "list" | "file" | "value" | "switch";

const words = (text: string): string[] => text.trim().split(/\s+/);

const kinds: Readonly<Record<FlagKind, readonly string[]>> = {
  path: words(`kubeconfig kube-ca-file ca-file cert-file key-file keyring passphrase-file registry-config repository-cache
    repository-config content-cache destination output-dir untardir merge`),
  list: ["values"],
  file: ["set-file"],
  value:
    words(`api-versions app-version burst-limit color colour description endpoint filter history-max jsonpath key
    kube-apiserver kube-as-group kube-as-user kube-context kube-tls-server-name kube-token kube-version labels max
    max-col-width name-template namespace offset output password qps repo revision selector set set-json set-literal
    set-string show-only template time-format timeout url username version`),
  // A switch takes a value only after `=`.
  switch:
    words(`all all-namespaces allow-deprecated-repos atomic cascade cleanup-on-fail create-namespace date debug
    dependency-update deployed devel disable-openapi-validation dry-run enable-dns fail-on-no-result failed force
    force-conflicts force-replace force-update generate-name help hide-notes hide-secret ignore-not-found include-crds
    insecure insecure-skip-tls-verify install is-upgrade json keep-history kube-insecure-skip-tls-verify list-repo-url
    logs no-headers no-hooks pass-credentials password-stdin pending plain-http prov quiet regexp release-name
    render-subchart-notes replace reset-then-reuse-values reset-values reuse-values reverse rollback-on-failure
    server-side short sign skip-crds skip-refresh skip-schema-validation skip-tests strict superseded take-ownership
    uninstalled uninstalling untar verify versions wait wait-for-jobs with-subcharts`),
};

const long = new Map<string, FlagKind>(
  Object.entries(kinds).flatMap(([kind, names]) =>
    names.map((name) => [`--${name}`, kind as FlagKind] as const),
  ),
);

const short: Readonly<Record<string, FlagKind>> = {
  ...{ "-A": "switch", "-g": "switch", "-h": "switch", "-i": "switch", "-q": "switch", "-r": "switch" },
  ...{
    "-a": "value",
    "-d": "path",
    "-f": "list",
    "-l": "value",
    "-m": "value",
    "-n": "value",
    "-o": "value",
  },
  ...{ "-p": "value", "-s": "value", "-u": "switch" },
};

/** Flags that mean something else in these commands. */
const ofCommand: Readonly<Record<string, Readonly<Record<string, FlagKind>>>> = {
  list: { "-a": "switch", "-d": "switch", "-f": "value", "--filter": "value" },
  search: { "-l": "switch" },
  registry: { "-u": "value" },
};

/** The full names of abbreviated commands. */
const aliases: Readonly<Record<string, string>> = { ls: "list" };

/** Returns undefined for an unknown flag. */
export function flagKind(command: string, flag: string): FlagKind | undefined {
  return ofCommand[aliases[command] ?? command]?.[flag] ?? long.get(flag) ?? short[flag];
}

/** Commands that start no program and name all their files on the command line. */
export const commands: ReadonlySet<string> = new Set(
  words(`create dep dependency del delete env fetch get help hist history inspect install lint list ls package pull push
    registry repo rollback search show status template test un uninstall upgrade verify version`),
);
