// +groupName=descriptions.example.com
export const groupVersion = { group: "descriptions.example.com", version: "v1" };
