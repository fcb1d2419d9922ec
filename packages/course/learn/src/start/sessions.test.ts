import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test, vi } from "vitest";
import { repositoryRoot } from "../repository.ts";
import { createSessions } from "./sessions.ts";

const [second, third] = ["02-memcached-operator/2", "02-memcached-operator/3"];

async function sessionsOf(use: (sessions: ReturnType<typeof createSessions>) => Promise<void>) {
  await using undo = new AsyncDisposableStack();
  await use(createSessions({ root: repositoryRoot, signal: new AbortController().signal }, undo));
}

test("a look at a later page leaves the cluster to the page that the learner works on", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sessions-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  vi.stubEnv("OPERATOR_PATH_WORK", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  await sessionsOf(async (sessions) => {
    await sessions.of(second);
    await sessions.of(third, { looks: true });
    expect(await sessions.laterThan(second)).toBeUndefined();
    await sessions.save("02-memcached-operator", third);
    expect(await sessions.laterThan(second)).toBe(third);
    expect(await sessions.laterThan(third)).toBeUndefined();
    await sessions.save("02-memcached-operator", second);
  });
  await sessionsOf(async (sessions) => {
    await sessions.of(third, { looks: true });
    expect(await sessions.laterThan(second)).toBeUndefined();
  });
});

test("an earlier page does not get the objects of a later one, which come back with that page", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sessions-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  vi.stubEnv("OPERATOR_PATH_WORK", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const kubectl = async ({ env }: { env: NodeJS.ProcessEnv }, ...args: string[]) =>
    (await execa("kubectl", args, { env, extendEnv: false })).stdout;
  const maps = (session: { env: NodeJS.ProcessEnv }) =>
    kubectl(session, "get", "configmaps", "-o", "name", "--field-selector=metadata.name!=kube-root-ca.crt");

  await sessionsOf(async (sessions) => {
    const later = await sessions.of(third);
    await kubectl(later, "create", "configmap", "later", "--from-literal=a=b");
    await sessions.goBackTo(second);
    const earlier = await sessions.of(second);
    expect(await maps(earlier)).toBe("");
    await kubectl(earlier, "create", "configmap", "earlier", "--from-literal=a=b");
  });
  await sessionsOf(async (sessions) => {
    expect(await maps(await sessions.of(third))).toBe("configmap/later");
  });
  await sessionsOf(async (sessions) => {
    const earlier = await sessions.of(second);
    expect(await maps(earlier)).toBe("configmap/earlier");
    // The cluster of a page goes on with the next one.
    await sessions.goBackTo(third);
    expect(await sessions.of(third)).toBe(earlier);
  });
});
