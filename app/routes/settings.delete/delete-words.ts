/** What is typed by whoever means it. */
export const DELETE_WORD = 'DELETE'

/** How an account without a password proves whose it is. */
export const GOOGLE_AGAIN =
  'To delete your account, prove that it is yours. Sign out, sign in with Google again and come back here within 15 minutes.'
