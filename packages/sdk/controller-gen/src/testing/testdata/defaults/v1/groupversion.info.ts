// +groupName=defaults.example.com
export const groupVersion = { group: "defaults.example.com", version: "v1" };
