// +groupName=rules.example.com
export const groupVersion = { group: "rules.example.com", version: "v1" };
