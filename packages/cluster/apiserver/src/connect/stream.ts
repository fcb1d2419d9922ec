import { badRequest, pathNotFound } from "../errors.ts";
import type { UpgradeRequest } from "../http/server.ts";
import type { RestApi } from "../rest/api.ts";
import type { ApiContext } from "../rest/context.ts";

export function createStreamHandler(
  context: ApiContext,
  api: RestApi,
): (upgrade: UpgradeRequest) => Promise<void> {
  return async ({ request }) => {
    const resolved = api.resolve(request);
    if (resolved === undefined) throw pathNotFound();
    throw badRequest(`not yet ${String(context.clock.now())}`);
  };
}
