import { z } from "zod";

/** Where a browser's editor sees the learner's folder. It learns no path of this machine. */
const root = "file:///";

/** The path of a file in the learner's folder. `files.ts` decides whether the browser may have it. */
const path = z
  .string()
  .max(2000)
  .startsWith(root)
  .transform((uri, context) => {
    try {
      return decodeURIComponent(uri.slice(root.length));
    } catch {
      context.addIssue({ code: "custom", message: "not a URI" });
      return z.NEVER;
    }
  });

const id = z.number().int();
const count = z.number().int().min(0).max(10_000_000);
const position = z.strictObject({ line: count, character: count });
const version = z.number().int();
const text = z.string().max(1_000_000);
const place = { textDocument: z.strictObject({ uri: path }), position };
const jsonrpc = z.literal("2.0");
/** Says how the editor came to ask. The server needs none of it. */
const context = z.unknown().optional();

/**
 * What a browser may send: the methods that its editor uses. A command, a change of files or a path in another
 * field does not fit.
 */
export const languageMessage = z.discriminatedUnion("method", [
  // The server has its own settings, so a browser's are dropped.
  z.strictObject({ jsonrpc, id, method: z.literal("initialize"), params: z.unknown() }),
  z.strictObject({ jsonrpc, method: z.literal("initialized"), params: z.unknown() }),
  z.strictObject({ jsonrpc, method: z.literal("$/cancelRequest"), params: z.strictObject({ id }) }),
  z.strictObject({
    ...{ jsonrpc, method: z.literal("textDocument/didOpen") },
    params: z.strictObject({
      textDocument: z.strictObject({ uri: path, languageId: z.literal("typescript"), version, text }),
    }),
  }),
  z.strictObject({
    ...{ jsonrpc, method: z.literal("textDocument/didChange") },
    params: z.strictObject({
      textDocument: z.strictObject({ uri: path, version }),
      // The whole text, as `initialize` asked for.
      contentChanges: z.tuple([z.strictObject({ text })]),
    }),
  }),
  z.strictObject({
    ...{ jsonrpc, method: z.literal("textDocument/didClose") },
    params: z.strictObject({ textDocument: z.strictObject({ uri: path }) }),
  }),
  z.strictObject({
    ...{ jsonrpc, id, method: z.literal("textDocument/hover") },
    params: z.strictObject(place),
  }),
  z.strictObject({
    ...{ jsonrpc, id, method: z.literal("textDocument/completion") },
    params: z.strictObject({ ...place, context }),
  }),
  z.strictObject({
    ...{ jsonrpc, id, method: z.literal("textDocument/signatureHelp") },
    params: z.strictObject({ ...place, context }),
  }),
  z.strictObject({
    ...{ jsonrpc, id, method: z.literal("textDocument/definition") },
    params: z.strictObject(place),
  }),
  z.strictObject({
    ...{ jsonrpc, id, method: z.literal("textDocument/rename") },
    params: z.strictObject({ ...place, newName: z.string().min(1).max(200) }),
  }),
  // The diagnostics are the server's own.
  z.strictObject({
    ...{ jsonrpc, id, method: z.literal("textDocument/codeAction") },
    params: z.strictObject(place),
  }),
  // The item is named by the number that it had in the completions.
  z.strictObject({
    ...{ jsonrpc, id, method: z.literal("completionItem/resolve") },
    params: z.strictObject({ textDocument: place.textDocument, data: count }),
  }),
]);

export type BrowserMessage = z.output<typeof languageMessage>;

/** What a browser receives. */
export type LanguageMessage =
  | { readonly jsonrpc: "2.0"; readonly id: number; readonly result: unknown }
  | { readonly jsonrpc: "2.0"; readonly id: number; readonly error: LanguageError }
  | { readonly jsonrpc: "2.0"; readonly method: string; readonly params: unknown };

export interface LanguageError {
  readonly code: number;
  readonly message: string;
}

/** Returns the URI by which a browser names a file of the learner's folder. */
export function browserUri(path: string): string {
  return root + path.split("/").map(encodeURIComponent).join("/");
}

const range = z.object({ start: position, end: position });

/** An unused name, for example, which editors show faded. It is no problem. */
const hint = 4;

/** The server's diagnostics, without its paths. */
export const diagnosticReport = z.object({
  items: z
    .array(z.object({ range, severity: z.number().default(1), message: z.string() }))
    .default([])
    .transform((items) => items.filter(({ severity }) => severity !== hint)),
});

/** The server's completions. Only those with an import need their data again. */
export const completionList = z
  .object({
    isIncomplete: z.boolean(),
    itemDefaults: z.looseObject({}).optional(),
    items: z.array(
      z.looseObject({
        label: z.string(),
        labelDetails: z.object({ description: z.string().optional() }).optional(),
        data: z.looseObject({ autoImport: z.unknown().optional() }).optional(),
      }),
    ),
  })
  .nullable();

const textEdit = z.object({ range, newText: z.string() });
export type TextEdit = z.output<typeof textEdit>;

/** What a completion adds elsewhere in the file: its import. */
export const resolvedItem = z.object({ additionalTextEdits: z.array(textEdit).default([]) });

/** Where a name is defined. */
export const locations = z
  .union([z.array(z.object({ uri: z.string(), range })), z.object({ uri: z.string(), range })])
  .nullable()
  .transform((found) => (found === null ? [] : Array.isArray(found) ? found : [found]));

/** Changes of files, by the server's URIs. */
export const workspaceEdit = z.object({ changes: z.record(z.string(), z.array(textEdit)).default({}) });

export const codeActions = z
  .array(z.object({ title: z.string(), edit: workspaceEdit.optional() }))
  .nullable()
  .transform((found) => found ?? []);

/** The diagnostics as the server needs them again, for its quick fixes. */
export const serverDiagnostics = z.object({
  items: z.array(z.looseObject({ range, message: z.string() })).default([]),
});
