/** Every view in schema `read`, by name. */
export type ReadSchema = object
