/** The reply to a form whose page another member opened, in the same browser. */
export const OTHERS_PAGE = 'others-page'
export const OTHERS_PAGE_WORDS = 'This page was opened as another member. Nothing was sent.'
/** The same while an account is made. */
export const OTHER_SIGN_UP_WORDS = 'This page was opened for another address. Nothing was sent.'
