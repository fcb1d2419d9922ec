// +groupName=cronjob.example.com
export const groupVersion = { group: "cronjob.example.com", version: "v1" };
