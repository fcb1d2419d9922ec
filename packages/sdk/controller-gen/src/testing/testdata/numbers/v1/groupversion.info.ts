// +groupName=numbers.example.com
export const groupVersion = { group: "numbers.example.com", version: "v1" };
