/** Code points of the longest password (security §3.1). */
export const PASSWORD_MAX = 128
