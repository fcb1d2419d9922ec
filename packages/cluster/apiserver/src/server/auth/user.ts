/** The user of a request: authentication/v1 UserInfo. */
export interface UserInfo {
  username: string;
  uid?: string;
  groups: string[];
  extra?: Record<string, string[]>;
}

export const anonymousUser: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** Members of this group may do everything (user.SystemPrivilegedGroup). */
const privilegedGroup = "system:masters";

export function isPrivileged(user: UserInfo): boolean {
  return user.groups.includes(privilegedGroup);
}
