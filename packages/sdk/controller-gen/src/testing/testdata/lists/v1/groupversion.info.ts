// +groupName=lists.example.com
export const groupVersion = { group: "lists.example.com", version: "v1" };
