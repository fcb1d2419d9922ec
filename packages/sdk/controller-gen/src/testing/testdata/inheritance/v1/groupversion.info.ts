// +groupName=inheritance.example.com
export const groupVersion = { group: "inheritance.example.com", version: "v1" };
