// +groupName=maps.example.com
export const groupVersion = { group: "maps.example.com", version: "v1" };
