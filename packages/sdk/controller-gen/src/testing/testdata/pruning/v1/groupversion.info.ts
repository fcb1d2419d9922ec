// +groupName=pruning.example.com
export const groupVersion = { group: "pruning.example.com", version: "v1" };
