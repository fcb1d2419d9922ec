// +groupName=embedded.example.com
export const groupVersion = { group: "embedded.example.com", version: "v1" };
