import type { ApiObject } from "../../lib/json/json.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ResourceType } from "../types/resource-type.ts";

/** An object as a version of its kind shows it: the same fields, or others with the same meaning. */
export interface View {
  readonly type: ResourceType;
  /** `"kind":"Pod","apiVersion":"v1"` */
  readonly head: string;
  /**
   * Has to be waited for before `object` and `body` are asked for these: a webhook may have to convert them. Undefined if
   * there is nothing to wait for.
   *
   * @param fresh asks the webhook again, even for what it has converted before
   * @throws ApiStatusError 500 when it cannot
   */
  ready(items: readonly StoredObject[], fresh?: boolean): Promise<void> | undefined;
  object(stored: StoredObject): ApiObject;
  /** The JSON after the head, without braces. */
  body(stored: StoredObject): Buffer;
  /** The other way: what goes into the store. @throws ApiStatusError 500 when a webhook cannot convert it */
  toStorage(object: ApiObject): ApiObject | Promise<ApiObject>;
}
