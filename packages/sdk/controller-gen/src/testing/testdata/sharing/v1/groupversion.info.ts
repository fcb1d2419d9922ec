// +groupName=sharing.example.com
export const groupVersion = { group: "sharing.example.com", version: "v1" };
