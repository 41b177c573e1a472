/** The version a member accepts at registration; it changes with the text of the Terms. */
export const TERMS_VERSION = '2026-01'
