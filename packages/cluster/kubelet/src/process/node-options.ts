/** Options of Node that take a path, as the next word or after `=`. */
export const pathOptions: ReadonlySet<string> = new Set([
  "--import",
  "--require",
  "-r",
  "--env-file",
  "--env-file-if-exists",
  "--experimental-loader",
  "--loader",
]);

/**
 * Options of Node that take the next word if they have no `=`. An option that is missing here works only with
 * `=`.
 */
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

/** Options whose file Node reads before its permission model applies. */
export const environmentFileOptions: ReadonlySet<string> = new Set(["--env-file", "--env-file-if-exists"]);

/**
 * Options that a container may use: those without a file, or with a file that the permission model checks.
 * Many others of Node and V8 write files or load code without a check, and each version adds some.
 */
const harmless: ReadonlySet<string> = new Set([
  ...pathOptions,
  ..."-e --eval -p --print -pe -C --conditions --title --input-type --disable-warning --unhandled-rejections -c --check".split(
    " ",
  ),
  ..."-i --interactive -v --version -h --help --v8-options --dns-result-order --stack-trace-limit".split(" "),
  ..."--max-http-header-size --tls-cipher-list --secure-heap --secure-heap-min --disable-proto --v8-pool-size".split(
    " ",
  ),
  ..."--network-family-autoselection --network-family-autoselection-attempt-timeout --enable-source-maps".split(
    " ",
  ),
  ..."--enable-network-family-autoselection --preserve-symlinks --preserve-symlinks-main --frozen-intrinsics".split(
    " ",
  ),
  ..."--warnings --deprecation --pending-deprecation --throw-deprecation --force-node-api-uncaught-exceptions-policy".split(
    " ",
  ),
  ..."--trace-warnings --trace-deprecation --trace-uncaught --trace-exit --trace-sigint --trace-sync-io".split(
    " ",
  ),
  ..."--trace-gc --trace-tls --trace-promises --abort-on-uncaught-exception --verify-base-objects".split(" "),
  ..."--zero-fill-buffers --insecure-http-parser --node-snapshot --global-search-paths --async-context-frame".split(
    " ",
  ),
  ..."--use-openssl-ca --use-bundled-ca --use-system-ca --use-env-proxy --force-fips --enable-fips".split(
    " ",
  ),
  ..."--force-context-aware --addons --strip-types --entry-url".split(" "),
  ..."--expose-gc --gc-interval --stack-size --optimize-for-size --lite-mode --jitless --single-threaded".split(
    " ",
  ),
  ..."--max-heap-size --max-old-space-size --max-old-space-size-percentage --max-semi-space-size".split(" "),
  ..."--min-semi-space-size --initial-heap-size --initial-old-space-size --semi-space-growth-factor".split(
    " ",
  ),
]);

const harmlessKinds =
  /^--(?:harmony(?:-.*)?|tls-(?:min|max)-v1\.[0-3]|experimental-(?:strip-types|transform-types|vm-modules|require-module|detect-module|import-meta-resolve|import-text|default-type|json-modules|wasm-modules|eventsource|websocket|fetch|global-\w+|repl-await|print-required-tla|shadow-realm|loader|abortcontroller|specifier-resolution))$/;

/**
 * Whether a container may use an option. Options that would open the fence are removed even if this returns
 * true.
 */
export function isHarmless({ name }: NodeOption): boolean {
  const plain = name.replace(/^--no-/, "--");
  return harmless.has(plain) || harmlessKinds.test(plain);
}

/**
 * Options that would open the fence or apply another one: those of the permission model, files with such
 * options, and libraries that OpenSSL loads.
 */
const fenceOptions =
  /^--(?:no-)*(?:experimental-)?(?:permission(?:-.*)?|allow-.*|(?:default-)?config-file|openssl-(?:shared-)?config)$/;

/** One word of a command line or of NODE_OPTIONS, as Node reads it. */
export interface NodeOption {
  /** Without its value, and with `-` in place of `_`, which Node treats as equal. */
  readonly name: string;
  /** The text after `=`. */
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

export const opensFence = ({ name }: NodeOption): boolean => fenceOptions.test(name);

/** Whether the next word is the option's value. */
export function takesNext({ name, value }: NodeOption, next: string | undefined): next is string {
  if (value !== undefined || next === undefined || next.startsWith("-")) return false;
  return valueOptions.has(name) || /^--allow-fs-(?:read|write)$/.test(name);
}

/** Returns the first option of NODE_OPTIONS that a container may not use. */
export function refusedVariable(text: string): string | undefined {
  const options = (wordsOf(text) ?? []).filter((word) => word.startsWith("-")).map(nodeOption);
  return options.find((option) => !opensFence(option) && !isHarmless(option))?.name;
}

/** Returns NODE_OPTIONS of an image or a Pod without the options that would open the fence. */
export function withoutPermissions(text: string): string {
  const words = wordsOf(text);
  // With an open quote, Node reports the error and does not start.
  if (words === undefined) return '"';
  return words
    .filter((one, i) => {
      const before = nodeOption(words[i - 1] ?? "");
      return !opensFence(nodeOption(one)) && !(opensFence(before) && takesNext(before, one));
    })
    .map((one) => (/[\s"\\]/.test(one) ? `"${one.replaceAll(/["\\]/g, "\\$&")}"` : one))
    .join(" ");
}

/**
 * Splits NODE_OPTIONS as Node does, at spaces outside of double quotes. Inside double quotes, a backslash
 * escapes the next character.
 *
 * @returns undefined when a quote is not closed
 */
function wordsOf(text: string): string[] | undefined {
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
  return quoted ? undefined : words;
}
