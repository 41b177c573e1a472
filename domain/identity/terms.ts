/** Every version of the Terms that was ever in force, the newest last; one is added with each change of the text. */
export const TERMS_VERSIONS = ['2026-01'] as const

/** The version a member accepts at registration. */
export const TERMS_VERSION = TERMS_VERSIONS[TERMS_VERSIONS.length - 1]!
