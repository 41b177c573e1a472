/** What is typed by whoever means it. */
export const DELETE_WORD = 'DELETE'
