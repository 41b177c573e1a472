/** Where a member asks for an export, and gets it. */
export const EXPORT_PAGE = '/settings/export'
/** The same, for somebody whose copy is not there. */
export const EXPORT_GONE = `${EXPORT_PAGE}?gone=yes`
/** Where the zip of an export is served, to its owner alone. */
export const exportUrl = (id: string) => `/account/export/${id}`
