/** Where a stored field is in the copy that members get of their data, or why it is left out. */
export type Destination = { readonly in: string } | { readonly not: string }
