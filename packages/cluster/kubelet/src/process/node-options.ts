/** Options of node that take a path, in the word after them or behind `=`. */
export const pathOptions: ReadonlySet<string> = new Set([
  "--import",
  "--require",
  "-r",
  "--env-file",
  "--env-file-if-exists",
  "--experimental-loader",
  "--loader",
]);

/** Options of node that take the next word, unless they have a `=`. One that is missing here works with `=` only. */
const valueOptions: ReadonlySet<string> = new Set([
  ...pathOptions,
  ..."-e --eval -p --print -pe -C --conditions --title --input-type --disable-warning --unhandled-rejections".split(
    " ",
  ),
  ..."--dns-result-order --stack-trace-limit --max-http-header-size --max-old-space-size-percentage".split(
    " ",
  ),
  ..."--tls-cipher-list --tls-keylog --secure-heap --secure-heap-min --disable-proto --v8-pool-size".split(
    " ",
  ),
  ..."--redirect-warnings --diagnostic-dir --report-dir --report-directory --report-filename".split(" "),
  ..."--report-signal --heapsnapshot-signal --heapsnapshot-near-heap-limit --icu-data-dir".split(" "),
  ..."--localstorage-file --network-family-autoselection-attempt-timeout --experimental-package-map".split(
    " ",
  ),
  ..."--trace-event-categories --trace-event-file-pattern --trace-require-module".split(" "),
  ..."--cpu-prof-dir --cpu-prof-name --cpu-prof-interval --heap-prof-dir --heap-prof-name".split(" "),
  ..."--test-concurrency --test-isolation --test-name-pattern --test-reporter".split(" "),
  ..."--test-reporter-destination --test-shard --test-skip-pattern --test-timeout --watch-path".split(" "),
  "--openssl-config",
]);

/**
 * What would open the fence, or close another one around it: the permission model's own options, files that may have such
 * options, and libraries that OpenSSL would load.
 */
const opening =
  /^--(?:no-)*(?:experimental-)?(?:permission(?:-.*)?|allow-.*|(?:default-)?config-file|openssl-(?:shared-)?config)$/;

/** One word of a command line, or of NODE_OPTIONS, as Node reads it. */
export interface NodeOption {
  /** Without its value, and with `-` for `_`, which Node takes for the same. */
  readonly name: string;
  /** What stands behind `=`. */
  readonly value: string | undefined;
}

export function nodeOption(word: string): NodeOption {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  return {
    name: name.startsWith("--") ? `--${name.slice(2).replaceAll("_", "-")}` : name,
    value: equals < 0 ? undefined : word.slice(equals + 1),
  };
}

export const opensFence = ({ name }: NodeOption): boolean => opening.test(name);

/** Whether the word after it is its value, and no option. */
export function takesNext({ name, value }: NodeOption, next: string | undefined): next is string {
  if (value !== undefined || next === undefined || next.startsWith("-")) return false;
  return valueOptions.has(name) || /^--allow-fs-(?:read|write)$/.test(name);
}

/**
 * NODE_OPTIONS of an image or a Pod, without what would open the fence. Words are told apart as Node does it: by spaces
 * that are not in double quotes, in which a backslash takes the next character as it is.
 */
export function withoutPermissions(text: string): string {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '"') quoted = !quoted;
    else if (character === " " && !quoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + (quoted && character === "\\" ? (text[++i] ?? "") : character);
  }
  if (word !== undefined) words.push(word);
  // Node starts nothing then, and says why.
  if (quoted) return '"';
  return words
    .filter((one, i) => {
      const before = nodeOption(words[i - 1] ?? "");
      return !opensFence(nodeOption(one)) && !(opensFence(before) && takesNext(before, one));
    })
    .map((one) => (/[\s"\\]/.test(one) ? `"${one.replaceAll(/["\\]/g, "\\$&")}"` : one))
    .join(" ");
}
