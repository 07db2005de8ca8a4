/** Every entity, by name: discovery by folder would hide what belongs to the schema. */
export const entities = [] as const;
