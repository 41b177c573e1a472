/** Where the zip of an export is served, to its owner alone. */
export const exportUrl = (id: string) => `/account/export/${id}`
