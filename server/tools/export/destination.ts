/** Where a stored field stands in the copy that a member gets of their data, or why it does not. */
export type Destination = { readonly in: string } | { readonly not: string }
