/** The terms that a registration accepts; a new text gets a new version. */
export const TERMS_VERSION = '2026-01'
