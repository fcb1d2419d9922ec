// +groupName=enums.example.com
export const groupVersion = { group: "enums.example.com", version: "v1" };
