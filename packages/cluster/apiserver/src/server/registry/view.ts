import type { ApiObject } from "../../lib/json/json.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ResourceType } from "../types/resource-type.ts";

/** Shows objects in one version of their kind: with the same fields, or with others of the same meaning. */
export interface View {
  readonly type: ResourceType;
  /** `"kind":"Pod","apiVersion":"v1"` */
  readonly head: string;
  /**
   * Converts items. Call it before `object` and `body`, because the conversion may need a webhook.
   * Returns undefined if there is nothing to wait for.
   * @param fresh calls the webhook again even for converted items
   * @throws ApiStatusError 500 when the webhook fails
   */
  ready(items: readonly StoredObject[], fresh?: boolean): Promise<void> | undefined;
  object(stored: StoredObject): ApiObject;
  /** Returns the JSON after the head, without braces. */
  body(stored: StoredObject): Buffer;
  /** Converts an object to the stored version. @throws ApiStatusError 500 when a webhook fails */
  toStorage(object: ApiObject): ApiObject | Promise<ApiObject>;
}
