/** Who is asking: authentication/v1 UserInfo. */
export interface UserInfo {
  username: string;
  uid?: string;
  groups: string[];
  extra?: Record<string, string[]>;
}

export const anonymousUser: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** Whoever is in this group is not asked (user.SystemPrivilegedGroup). */
const privilegedGroup = "system:masters";

export function isPrivileged(user: UserInfo): boolean {
  return user.groups.includes(privilegedGroup);
}
