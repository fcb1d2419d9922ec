import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createMetricsRegistry } from "../testing/metrics-registry.ts";
import { createLeaderElector } from "./leader-elector.ts";
import { LeadershipLostError } from "./term.ts";
import { startCandidate, untilAborted } from "./testing/candidates.ts";
import { createLeaseServer } from "./testing/lease-server.ts";

const start = Date.UTC(2026, 0, 1);
const setup = () => ({ clock: createFakeClock(start), server: createLeaseServer() });

test("creates the Lease and leads, while a second candidate waits for its release", async () => {
  const { clock, server } = setup();
  const leaders: string[] = [];
  const a = startCandidate(server, clock, "a", { labels: { app: "web" } });
  await clock.advance(0);
  expect(a.isLeading()).toBe(true);
  expect(server.lease()).toMatchObject({
    metadata: { namespace: "shop", name: "web", labels: { app: "web" } },
    spec: {
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      acquireTime: "2026-01-01T00:00:00.000000Z",
      renewTime: "2026-01-01T00:00:00.000000Z",
      leaseTransitions: 0,
    },
  });
  const b = startCandidate(server, clock, "b", { onNewLeader: (identity) => leaders.push(identity) });
  await clock.advance(60_000);
  expect([a.elector.isLeader(), b.elector.isLeader(), b.elector.leader()]).toEqual([true, false, "a"]);
  expect(server.lease()?.spec).toMatchObject({
    acquireTime: "2026-01-01T00:00:00.000000Z",
    renewTime: "2026-01-01T00:01:00.000000Z",
  });
  a.stop.abort();
  await clock.advance(0);
  expect(await a.ended).toBe("ended");
  expect(server.lease()?.spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
  // The next attempt, at most 2.2 retry periods later.
  await clock.advance(4_400);
  expect(b.isLeading()).toBe(true);
  expect(server.lease()?.spec).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
  expect(leaders).toEqual(["a", "b"]);
  b.stop.abort();
  await clock.advance(0);
  expect(await b.ended).toBe("ended");
  expect(clock.pending()).toBe(0);
});

test("sends one request per retry period while no other client writes the Lease", async () => {
  const { clock, server } = setup();
  const metrics = createMetricsRegistry();
  const slow = () => metrics.value('leader_election_slowpath_total{name="web"}');
  const a = startCandidate(server, clock, "a", { metrics });
  await clock.advance(10_000);
  expect(server.requests.map(({ method }) => method)).toEqual([
    "GET",
    "POST",
    "PUT",
    "PUT",
    "PUT",
    "PUT",
    "PUT",
  ]);
  expect(slow()).toBe(0);
  server.write((lease) => Object.assign(lease.metadata ?? {}, { labels: { seen: "yes" } }));
  await clock.advance(2_000);
  expect(server.requests.slice(-3).map(({ method }) => method)).toEqual(["PUT", "GET", "PUT"]);
  expect(server.lease()?.metadata?.labels).toEqual({ seen: "yes" });
  expect([a.isLeading(), slow()]).toEqual([true, 1]);
});

test("ignores renewTime and waits for an observed change", async () => {
  const { clock, server } = setup();
  for (const renewTime of ["2020-01-01T00:00:00.000000Z", "2030-01-01T00:00:00.000000Z"]) {
    const spec = { holderIdentity: "gone", leaseDurationSeconds: 15, leaseTransitions: 4, renewTime };
    server.write((lease) =>
      Object.assign(lease, { metadata: { name: "web", namespace: "shop", uid: "u" }, spec }),
    );
    const b = startCandidate(server, clock, "b");
    await clock.advance(14_999);
    expect(b.isLeading()).toBe(false);
    await clock.advance(4_401);
    expect(b.isLeading()).toBe(true);
    expect(server.lease()?.spec?.leaseTransitions).toBe(5);
    b.stop.abort();
    await clock.advance(0);
  }
});

test("waits for the holder's duration, and does not count a label as a renewal", async () => {
  const { clock, server } = setup();
  const spec = { holderIdentity: "gone", leaseDurationSeconds: 60, renewTime: "2026-01-01T00:00:00.000000Z" };
  server.write((lease) =>
    Object.assign(lease, { metadata: { name: "web", namespace: "shop", uid: "u" }, spec }),
  );
  const b = startCandidate(server, clock, "b");
  for (let minute = 0; minute < 59; minute += 10) {
    server.write((lease) => Object.assign(lease.metadata ?? {}, { labels: { minute: String(minute) } }));
    await clock.advance(minute === 50 ? 9_999 : 10_000);
  }
  expect(b.isLeading()).toBe(false);
  await clock.advance(4_401);
  expect(b.isLeading()).toBe(true);
});

test("adds up to 1.2 random retry periods, so that candidates do not retry in step", async () => {
  const { clock, server } = setup();
  startCandidate(server, clock, "a");
  await clock.advance(0);
  for (const [chance, period] of [
    [0, 2_000],
    [0.999, 4_398],
  ] as const) {
    const b = startCandidate(server, clock, "b", { random: () => chance });
    const tries: number[] = [];
    b.network(() => {
      tries.push(clock.now() - start);
      return { request: 0, answer: 0 };
    });
    await clock.advance(14_000);
    expect(tries.slice(1).map((at, index) => Math.round(at - (tries[index] ?? 0)))).toEqual(
      Array(tries.length - 1).fill(period),
    );
    expect(tries.length).toBeGreaterThan(1);
    b.stop.abort();
  }
});

test("stops leading at the deadline, counted from the last successful request", async () => {
  const { clock, server } = setup();
  const a = startCandidate(server, clock, "a");
  await clock.advance(0);
  // The Lease is renewed at once, but the answer takes long.
  a.network(() => ({ request: 0, answer: 4_900 }));
  await clock.advance(2_000);
  await clock.advance(4_900);
  a.cut();
  await clock.advance(5_099);
  expect([a.isLeading(), a.elector.isLeader()]).toEqual([true, true]);
  await clock.advance(1);
  expect([a.isLeading(), a.elector.isLeader()]).toEqual([false, false]);
  expect(a.signal()?.reason).toBeInstanceOf(LeadershipLostError);
  await clock.advance(5_000);
  expect(await a.ended).toMatchObject({
    name: "LeadershipLostError",
    message: "the Lease was not renewed for 10000 ms",
  });
  expect(clock.pending()).toBe(0);
});

test("limits a hanging request, and survives an outage shorter than the deadline", async () => {
  const { clock, server } = setup();
  const a = startCandidate(server, clock, "a");
  await clock.advance(0);
  a.cut();
  await clock.advance(6_900);
  a.mend();
  await clock.advance(60_000);
  expect(a.isLeading()).toBe(true);
  expect(a.log.filter((line) => line.includes("trying again"))).toEqual([
    "leader election shop/web: no answer for 5000 ms; trying again",
  ]);
});

test("loses leadership by the clock after a blocked event loop, before any timer runs", async () => {
  const { clock, server } = setup();
  let blocked = 0;
  const a = startCandidate(server, clock, "a", {
    clock: { ...clock, steady: () => clock.steady() + blocked },
  });
  await clock.advance(1_000);
  const signal = a.signal();
  const derived = AbortSignal.any([signal as AbortSignal]);
  blocked = 8_999;
  expect([a.elector.isLeader(), signal?.aborted]).toEqual([true, false]);
  blocked = 9_000;
  expect(() => signal?.throwIfAborted()).toThrow(LeadershipLostError);
  expect([signal?.aborted, derived.aborted, a.elector.isLeader()]).toEqual([true, true, false]);
  blocked = 0;
  expect(a.elector.isLeader()).toBe(false);
});

test("detects a sleep by the wall clock, and gains no time from a clock that is set", async () => {
  const { clock, server } = setup();
  const a = startCandidate(server, clock, "a");
  await clock.advance(1_000);
  clock.set(-3_600_000);
  await clock.advance(1_000);
  expect(a.isLeading()).toBe(true);
  a.cut();
  await clock.advance(3_000);
  clock.set(8_000);
  expect(a.elector.isLeader()).toBe(false);
});

test("stops leading at once when the Lease has another holder or none", async () => {
  for (const holderIdentity of ["b", ""]) {
    const { clock, server } = setup();
    const a = startCandidate(server, clock, "a");
    await clock.advance(0);
    server.write((lease) => Object.assign(lease.spec ?? {}, { holderIdentity }));
    await clock.advance(2_000);
    expect(a.isLeading()).toBe(false);
    expect(await a.ended).toMatchObject({
      message: holderIdentity ? `${holderIdentity} holds the Lease` : "the Lease has no holder",
    });
    expect(server.lease()?.spec?.holderIdentity).toBe(holderIdentity);
  }
});

test("creates a deleted Lease again", async () => {
  const { clock, server } = setup();
  const a = startCandidate(server, clock, "a");
  await clock.advance(0);
  server.remove();
  await clock.advance(2_000);
  expect([a.isLeading(), server.lease()?.spec?.holderIdentity]).toEqual([true, "a"]);
});

test("keeps the Lease until the work has ended, then releases it despite a foreign write", async () => {
  const { clock, server } = setup();
  const stopping = new Error("SIGTERM");
  const a = startCandidate(server, clock, "a", {
    async work(signal) {
      await untilAborted(signal);
      await clock.sleep(30_000);
      server.write((lease) => Object.assign(lease.metadata ?? {}, { labels: { by: "another client" } }));
      throw signal.reason;
    },
  });
  const b = startCandidate(server, clock, "b");
  await clock.advance(5_000);
  a.stop.abort(stopping);
  expect([a.elector.isLeader(), a.signal()?.reason]).toEqual([false, stopping]);
  await clock.advance(29_999);
  expect([server.lease()?.spec?.holderIdentity, b.isLeading()]).toEqual(["a", false]);
  await clock.advance(1);
  expect(await a.ended).toBe("ended");
  expect(server.lease()).toMatchObject({
    metadata: { labels: { by: "another client" } },
    spec: { holderIdentity: "" },
  });
});

test("ends without waiting when its permissions or its Lease are deleted", async () => {
  for (const missing of ["permissions", "account", "Lease"]) {
    const { clock, server } = setup();
    const a = startCandidate(server, clock, "a");
    await clock.advance(0);
    const refuse = { permissions: 403, account: 401, Lease: undefined }[missing];
    if (refuse) a.network(() => ({ request: 0, refuse, answer: 0 }));
    else server.remove();
    a.stop.abort();
    await clock.advance(0);
    expect(await Promise.race([a.ended, "still waits"])).toBe("ended");
    expect(a.log.some((line) => line.includes("the Lease was not released"))).toBe(missing !== "Lease");
  }
});

test("does not release a Lease if told not to, or if it has another holder", async () => {
  const { clock, server } = setup();
  const a = startCandidate(server, clock, "a", { releaseOnCancel: false });
  await clock.advance(0);
  a.stop.abort();
  expect(await a.ended).toBe("ended");
  expect(server.lease()?.spec?.holderIdentity).toBe("a");
  const b = startCandidate(server, clock, "b");
  b.stop.abort();
  await clock.advance(0);
  expect([await b.ended, server.lease()?.spec?.holderIdentity]).toEqual(["ended", "a"]);
});

test("rejects with the error of the work, and releases the Lease", async () => {
  const { clock, server } = setup();
  const failure = new Error("no such thing");
  const a = startCandidate(server, clock, "a", { work: () => Promise.reject(failure) });
  await clock.advance(0);
  expect(await a.ended).toBe(failure);
  expect(server.lease()?.spec?.holderIdentity).toBe("");
});

test("fails the health check while the work of a former leader continues, and reports the leader in metric and Events", async () => {
  const { clock, server } = setup();
  const metrics = createMetricsRegistry();
  const status = () => metrics.value('leader_election_master_status{name="web"}');
  const events: string[] = [];
  const a = startCandidate(server, clock, "a", {
    metrics,
    recorder: {
      event: (object, type, reason, message) =>
        void events.push(
          `${object.kind} ${object.metadata?.name} ${object.metadata?.uid} ${type} ${reason}: ${message}`,
        ),
      flush: () => Promise.resolve(),
    },
    work: () => new Promise(() => {}),
  });
  expect(status()).toBe(0);
  await clock.advance(2_000);
  expect(status()).toBe(1);
  a.cut();
  await clock.advance(35_000);
  expect(a.elector.isLeader()).toBe(false);
  a.elector.checkHealth();
  await clock.advance(1);
  expect(() => a.elector.checkHealth()).toThrow(
    "leader election shop/web: the Lease was last renewed 35 s ago, and the work has not ended",
  );
  expect(status()).toBe(0);
  expect(events).toEqual([
    "Lease web uid-101 Normal LeaderElection: a became leader",
    "Lease web uid-101 Normal LeaderElection: a stopped leading",
  ]);
});

test("waits for at most a minute when the server asks for an hour", async () => {
  const { clock, server } = setup();
  const other = startCandidate(server, clock, "other");
  await clock.advance(0);
  const a = startCandidate(server, clock, "a");
  let tries = 0;
  a.network(() => {
    tries++;
    return { request: 0, refuse: 503, retryAfter: 3_600, answer: 0 };
  });
  await clock.advance(5_000);
  expect(tries).toBe(1);
  a.mend();
  other.stop.abort();
  await clock.advance(53_000);
  expect(a.isLeading()).toBe(false);
  await clock.advance(10_000);
  expect(a.isLeading()).toBe(true);
});

test("retries after a refusal, not before its Retry-After, and logs it once", async () => {
  const { clock, server } = setup();
  const b = startCandidate(server, clock, "b");
  let requests = 0;
  b.network(() => {
    requests++;
    return { request: 0, refuse: 429, answer: 0 };
  });
  await clock.advance(59_999);
  // The first attempt used the old network. Each later one waits for the 20 s of the Retry-After.
  expect(requests).toBeLessThanOrEqual(3);
  expect(b.log.filter((line) => line.includes("429"))).toEqual([
    "leader election shop/web: 429 TooManyRequests; trying again",
  ]);
});

test.each([
  [{ leaseDuration: 10_000 }, "leaseDuration (10000 ms) must be longer than renewDeadline (10000 ms)"],
  [{ renewDeadline: 2_400 }, "renewDeadline (2400 ms) must be longer than retryPeriod × 1.2 (2400 ms)"],
  [{ retryPeriod: 0 }, "retryPeriod is 0: durations are in milliseconds; this one must be at least 100"],
  [{ retryPeriod: 2 }, "retryPeriod is 2: durations are in milliseconds; this one must be at least 100"],
  [
    { leaseDuration: 15, renewDeadline: 10, retryPeriod: 2 },
    "leaseDuration is 15: durations are in milliseconds; this one must be at least 1000",
  ],
  [{ leaseDuration: Number.NaN }, "leaseDuration is NaN"],
  [{ lease: { namespace: "", name: "web" } }, "lease.namespace is empty"],
  [{ identity: "" }, "identity is empty"],
])("rejects the invalid options %o", (options, message) => {
  const { clock, server } = setup();
  const client = {
    ...server.transport({ delivery: () => ({ request: 0, answer: 0 }), delay: (_, run) => run() }),
  };
  const lease = { namespace: "shop", name: "web" };
  expect(() =>
    createLeaderElector({ ...client, resource: () => ({}) as never }, { lease, clock, ...options }),
  ).toThrow(message);
});
