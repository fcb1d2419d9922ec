import { BasicTracerProvider, SimpleSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { configMaps } from "@operator-path/client";
import {
  createLogger,
  ignoreNotFound,
  type LoggerOptions,
  type Manager,
  type ManagerOptions,
  newControllerManagedBy,
} from "@operator-path/controller-runtime";

export function setupNotes(manager: Manager): void {
  newControllerManagedBy(manager)
    .for(configMaps)
    .named("notes")
    .complete(async (request, { log, cause }) => {
      const note = await manager.client.get(configMaps, request).catch(ignoreNotFound);
      log.debug({ found: note !== undefined }, "Read the note");
      if (cause.retries > 3) log.warn({ retries: cause.retries }, "The note fails again and again");
      if (note?.data?.text === "") throw new Error("the note is empty: write data.text");
    });
}

/** Options of `createManager`. LOG_LEVEL=debug adds a line per reconcile; spans go to `exporter`. */
export function debuggable(env: NodeJS.ProcessEnv, exporter?: SpanExporter): ManagerOptions {
  const level = env.LOG_LEVEL as LoggerOptions["level"];
  return {
    logger: createLogger({ level }),
    ...(exporter && {
      tracerProvider: new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    }),
  };
}
