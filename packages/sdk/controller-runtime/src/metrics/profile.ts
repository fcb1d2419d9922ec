/** Profiles this process while `wait` is waited for. Undefined, when that rejects. */
export type Profile = (wait: () => Promise<void>) => Promise<string | undefined>;

/** In the format of .cpuprofile files. */
export const profileCpu: Profile = (wait) =>
  inSession(async (session) => {
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
    const isOver = await ended(wait());
    const { profile } = await session.post("Profiler.stop");
    return isOver ? JSON.stringify(profile) : undefined;
  });

/** In the format of .heapprofile files: about each 32 KiB is sampled, as Chrome does it. */
export const profileAllocations: Profile = (wait) =>
  inSession(async (session) => {
    await session.post("HeapProfiler.enable");
    await session.post("HeapProfiler.startSampling");
    const isOver = await ended(wait());
    const { profile } = await session.post("HeapProfiler.stopSampling");
    return isOver ? JSON.stringify(profile) : undefined;
  });

type Session = import("node:inspector/promises").Session;

/** The inspector is loaded when somebody asks for a profile, and for nobody else. */
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
