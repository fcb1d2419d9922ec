// +groupName=plurals.example.com
export const groupVersion = { group: "plurals.example.com", version: "v1" };
