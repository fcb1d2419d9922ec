/** Who is asking: authentication/v1 UserInfo. */
export interface UserInfo {
  username: string;
  uid?: string;
  groups: string[];
  extra?: Record<string, string[]>;
}

export const anonymousUser: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };
