import { ApiError, type Clock, createDeadline, type Transport } from "@operator-path/client";

/** The user in a TokenReview. */
export interface ReviewedUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface Reviews {
  /** Returns the user of a token, or undefined when the API server does not know the token. */
  authenticate(token: string): Promise<ReviewedUser | undefined>;
  /** Returns whether the user may use this verb ("get") on a nonResourceURL ("/metrics"). */
  authorize(user: ReviewedUser, verb: string, path: string): Promise<boolean>;
}

const tries = 5;
const firstPause = 500;
const patience = 10_000;

/**
 * Asks the API server, as its own components do: up to five attempts, 0.5 s apart and growing, within 10 s.
 * Go: DelegatingAuthenticatorConfig, DelegatingAuthorizerConfig.
 *
 * Needs the verb create on tokenreviews.authentication.k8s.io and subjectaccessreviews.authorization.k8s.io.
 */
export function createReviews(transport: Transport, clock: Clock, random: () => number): Reviews {
  async function review<Status>(group: string, kind: string, spec: object): Promise<Status> {
    const apiVersion = `${group}/v1`;
    const path = `/apis/${apiVersion}/${kind.toLowerCase()}s`;
    const deadline = createDeadline(clock, patience, `no answer to a ${kind} within ${patience / 1000} s`);
    const { signal } = deadline;
    try {
      for (let pause = firstPause, left = tries; ; pause *= 1.5, left--) {
        try {
          const request = { method: "POST", path, body: { apiVersion, kind, spec }, signal };
          const { body } = await transport.request(request);
          return (JSON.parse(Buffer.from(body).toString()) as { status: Status }).status;
        } catch (error) {
          if (left === 1 || signal.aborted || !isTransient(error)) throw error;
          await clock.sleep(pause * (1 + 0.2 * random()), signal);
        }
      }
    } finally {
      deadline.clear();
    }
  }

  return {
    async authenticate(token) {
      const { authenticated, user } = await review<{ authenticated?: boolean; user?: ReviewedUser }>(
        "authentication.k8s.io",
        "TokenReview",
        { token },
      );
      return authenticated ? (user ?? {}) : undefined;
    },
    async authorize({ username, uid, groups, extra }, verb, path) {
      const { allowed, denied } = await review<{ allowed?: boolean; denied?: boolean }>(
        "authorization.k8s.io",
        "SubjectAccessReview",
        { user: username, uid, groups, extra, nonResourceAttributes: { verb, path } },
      );
      return allowed === true && denied !== true;
    },
  };
}

/** Other client errors will not change within a second. An overloaded or broken server may recover. */
function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === 429 || error.code >= 500;
}
