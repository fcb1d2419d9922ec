// +groupName=strings.example.com
export const groupVersion = { group: "strings.example.com", version: "v1" };
