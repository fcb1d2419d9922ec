import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { create } from "tar";
import { expect, onTestFinished, test } from "vitest";
import { publishTarballs, type Tarball } from "./publish-tarballs.ts";

test("publishes what the registry does not have, in order", async () => {
  const registry = await startRegistry({ "@small/base": ["1.2.2", "1.2.3"], "@small/middle": ["1.2.2"] });
  const said: string[] = [];
  const publish = async () => {
    const tarballs = await pack("base", "middle", "top");
    await publishTarballs(tarballs, { env: registry.env, say: (line) => said.push(line) });
  };
  await publish();
  expect(registry.published).toEqual(["@small/middle@1.2.3 public", "@small/top@1.2.3 public"]);
  expect(said).toEqual([
    "@small/base 1.2.3: already in the registry",
    "@small/middle 1.2.3: published",
    "@small/top 1.2.3: published",
  ]);
  await publish();
  expect(registry.published).toHaveLength(2);
});

test("publishes nothing when the registry does not answer", async () => {
  const registry = await startRegistry({}, "down");
  const publishing = publishTarballs(await pack("base"), { env: registry.env, say: () => {} });
  await expect(publishing).rejects.toThrow(/^cannot tell whether the registry has @small\/base@1\.2\.3: /);
  expect(registry.published).toEqual([]);
});

test("stops at the package that the registry refuses", async () => {
  const registry = await startRegistry({}, "full");
  const publishing = publishTarballs(await pack("base", "top"), { env: registry.env, say: () => {} });
  await expect(publishing).rejects.toThrow(/^@small\/base 1\.2\.3 was not published; npm says:\n.*403/s);
  expect(registry.asked).not.toContain("GET @small/top");
});

/** Versions by package. It is down, or refuses what is published, when asked to. */
async function startRegistry(versions: Record<string, string[]>, state?: "down" | "full") {
  const [published, asked]: [string[], string[]] = [[], []];
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url?.slice(1).split("?")[0] ?? "");
    asked.push(`${request.method} ${name}`);
    const answer = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (state === "down") return answer(500, {});
    if (request.method === "PUT") {
      const body = JSON.parse(await text(request)) as { versions: object; access: string };
      if (state === "full") return answer(403, { error: "no more" });
      const added = Object.keys(body.versions);
      versions[name] = [...(versions[name] ?? []), ...added];
      published.push(`${name}@${added.join()} ${body.access}`);
      return answer(201, { ok: true });
    }
    const known = versions[name];
    if (known === undefined) return answer(404, { error: "Not found" });
    answer(200, {
      ...{ name, "dist-tags": { latest: known.at(-1) } },
      versions: Object.fromEntries(known.map((version) => [version, { name, version, dist: {} }])),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const env = {
    ...{
      npm_config_registry: `http://${address}`,
      npm_config_fetch_retries: "0",
      npm_config_cache: emptyFolder(),
    },
    [`npm_config_//${address}:_authToken`]: "secret",
  };
  return { env, published, asked };
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "publish-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function pack(...names: readonly string[]): Promise<Tarball[]> {
  return Promise.all(
    names.map(async (short) => {
      const cwd = emptyFolder();
      const [name, version, file] = [`@small/${short}`, "1.2.3", join(cwd, "package.tgz")];
      mkdirSync(join(cwd, "package"));
      writeFileSync(join(cwd, "package/package.json"), JSON.stringify({ name, version }));
      await create({ cwd, file, gzip: true }, ["package"]);
      return { name, version, file };
    }),
  );
}
