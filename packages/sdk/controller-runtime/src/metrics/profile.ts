/** Profiles this process until `wait` resolves. Returns undefined when it rejects. */
export type Profile = (wait: () => Promise<void>) => Promise<string | undefined>;

/** Returns a profile in the .cpuprofile format. */
export const profileCpu: Profile = (wait) =>
  inSession(async (session) => {
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
    const isOver = await ended(wait());
    const { profile } = await session.post("Profiler.stop");
    return isOver ? JSON.stringify(profile) : undefined;
  });

/** Returns a profile in the .heapprofile format. Samples about every 32 KiB, as Chrome does. */
export const profileAllocations: Profile = (wait) =>
  inSession(async (session) => {
    await session.post("HeapProfiler.enable");
    await session.post("HeapProfiler.startSampling");
    const isOver = await ended(wait());
    const { profile } = await session.post("HeapProfiler.stopSampling");
    return isOver ? JSON.stringify(profile) : undefined;
  });

type Session = import("node:inspector/promises").Session;

/** Loads the inspector only when a profile is requested. */
async function inSession<T>(use: (session: Session) => Promise<T>): Promise<T> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    return await use(session);
  } finally {
    session.disconnect();
  }
}

async function ended(wait: Promise<void>): Promise<boolean> {
  return wait.then(
    () => true,
    () => false,
  );
}
