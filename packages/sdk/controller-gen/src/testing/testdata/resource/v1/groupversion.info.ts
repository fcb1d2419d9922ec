// +groupName=resource.example.com
export const groupVersion = { group: "resource.example.com", version: "v1" };
