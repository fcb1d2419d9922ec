import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import fc from "fast-check";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { repositoryRoot } from "../repository.ts";
import { type Identity, identityOf } from "./identity.ts";
import { type Files, renameFiles } from "./rename.ts";
import { wordsFor } from "./words.ts";

const stages = [
  ["01-podbuggertool", "podbuggertool"],
  ["01-podbuggertool", "podbuggertool-on-controller-runtime"],
  ["02-memcached-operator", "memcached-operator"],
  ["02-memcached-operator", "memcached-operator-v2"],
  ["03-nginx-operator", "nginx-operator"],
] as const;
const traces =
  // Kubernetes itself explains condition types by foo.example.com.
  /memcached|podbugger|podbtool|\bpbt\b|ualter|(?<!foo\.)example\.com|github\.com\/example|ovhnginx|ovhcloud|nginx-operator|lostinbrittany/i;

function load(tutorial: string, project: string): { files: Files; identity: Identity } {
  const folder = join(repositoryRoot, "tutorials", tutorial, project);
  const paths = execFileSync("git", ["ls-files"], { cwd: folder, encoding: "utf8" }).trim().split("\n");
  const files = new Map(
    paths.filter((path) => path !== "README.md").map((path) => [path, readFileSync(join(folder, path))]),
  );
  return { files, identity: identityOf(tutorial, files.get("PROJECT")?.toString()) };
}

const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz");
const word = fc.array(letter, { minLength: 1, maxLength: 8 }).map((letters) => letters.join(""));
const kind = fc
  .array(
    word.map((text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
    { minLength: 1, maxLength: 3 },
  )
  .map((words) => words.join(""));

test.each(stages)("%s, %s: no trace of a name is left, whatever the new ones are", (tutorial, project) => {
  const { files, identity } = load(tutorial, project);
  fc.assert(
    fc.property(kind, word, word, word, (newKind, group, name, domain) => {
      const wanted = { ...identity, name: `${name}-operator`, group, domain: `${domain}.io`, kind: newKind };
      const words = wordsFor(identity, wanted);
      // The new short name may be the old one, pbt: that of PodBuilderTask, or of Pbta.
      const shortName = new Map(words.text).get(`[${identity.shortName}]`) ?? "";
      fc.pre(!traces.test(JSON.stringify([newKind, shortName, group, name, domain])));
      let result: Files;
      try {
        result = renameFiles(files, words);
      } catch (error) {
        // The code or the language has this name already.
        if (error instanceof UserError) return;
        throw error;
      }
      expect(result.size).toBe(files.size);
      for (const [path, bytes] of result) {
        expect(path).not.toMatch(traces);
        expect(
          bytes
            .toString()
            .split("\n")
            .filter((line) => traces.test(line)),
        ).toEqual([]);
        if (path.endsWith(".ts")) expect(parseSync(path, bytes.toString()).errors).toEqual([]);
      }
    }),
    {
      numRuns: 25,
      // A plural like the singular, a name in capitals, one like a short name of kubectl.
      examples: [
        ["Redis", "stores", "a", "b"],
        ["HTTPRoute", "stores", "a", "b"],
        ["PodoOrder", "stores", "a", "b"],
      ],
    },
  );
});

const memcached: Identity = {
  name: "memcached-operator",
  domain: "example.com",
  group: "cache",
  version: "v1alpha1",
  kind: "Memcached",
  repo: "github.com/example/memcached-operator",
};
const wanted: Identity = {
  ...memcached,
  name: "stores",
  domain: "acme.io",
  group: "data",
  kind: "HTTPStore",
};
const rename = (path: string, text: string, to = wanted) => {
  const [[newPath, bytes] = []] = renameFiles(new Map([[path, Buffer.from(text)]]), wordsFor(memcached, to));
  return [newPath, bytes?.toString()];
};

test.each([
  [
    "config/samples/cache_v1alpha1_memcached.yaml",
    "kind: Memcached",
    "config/samples/data_v1alpha1_httpstore.yaml",
    "kind: HTTPStore",
  ],
  ["a.yaml", "memcacheds.cache.example.com", "a.yaml", "httpstores.data.acme.io"],
  [
    "a.yaml",
    "namespace: memcached-operator-system # the cache",
    "a.yaml",
    "namespace: stores-system # the cache",
  ],
  ["a.ts", "const memcacheds = client.get(memcacheds)", "a.ts", "const httpStores = client.get(httpStores)"],
  [
    "a.ts",
    'import { memcacheds } from "./memcached.types.ts"',
    "a.ts",
    'import { httpStores } from "./httpstore.types.ts"',
  ],
  [
    "a.ts",
    "// resources=memcacheds/status\nfunction createMemcachedReconciler() {}",
    "a.ts",
    "// resources=httpstores/status\nfunction createHTTPStoreReconciler() {}",
  ],
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: texts of files
  ["a.ts", "const a = `${memcached.name} memcached`;", "a.ts", "const a = `${httpStore.name} httpstore`;"],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: texts of files
  [
    "a.ts",
    'const l = { app: "memcached", memcached_cr: n };',
    "a.ts",
    'const l = { app: "httpstore", httpstore_cr: n };',
  ],
  ["PROJECT", "repo: github.com/example/memcached-operator", "PROJECT", "repo: stores"],
])("%s: %s", (path, text, newPath, newText) => {
  expect(rename(path, text)).toEqual([newPath, newText]);
});

test("keeps two names for an object and its resource if singular and plural are equal", () => {
  const text =
    "const memcached = client.get(memcacheds, memcachedOf(pod)); // memcacheds/status of a memcached";
  expect(rename("a.ts", text, { ...memcached, kind: "Redis" })[1]).toBe(
    "const redisObject = client.get(redis, redisObjectOf(pod)); // redis/status of a redis",
  );
});

test("keeps words that only contain an old name", () => {
  const onlyKind = { ...memcached, kind: "Store" };
  expect(rename("a.yaml", "memcached-operator-system, memcacheds.cache.example.com", onlyKind)[1]).toBe(
    "memcached-operator-system, stores.cache.example.com",
  );
  expect(rename("a.ts", "const memcached = 1; // example.com", memcached)[1]).toBe(
    "const memcached = 1; // example.com",
  );
});

test("does not change binary files", () => {
  const bytes = Buffer.from("memcached\0memcached");
  expect(renameFiles(new Map([["a.bin", bytes]]), wordsFor(memcached, wanted)).get("a.bin")).toBe(bytes);
});

test.each([
  [
    "Pod",
    'import { pods } from "x";\nuse(pods, memcacheds);',
    /memcacheds would become pods, but a\.ts already has a pods/,
  ],
  [
    "HTTP",
    "const MEMCACHED = 1; type Memcached = 1;",
    /MEMCACHED and Memcached of a\.ts would both become HTTP/,
  ],
  ["Class", "const memcached = 1;", /a variable would be called class, a reserved word of TypeScript/],
])("rejects a kind %s whose names the code has already", (newKind, text, message) => {
  expect(() => rename("a.ts", text, { ...memcached, kind: newKind })).toThrow(message);
});
