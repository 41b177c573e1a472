/** For a form that brings more text than is taken, whatever its fields are. */
export const TOO_LONG_WORDS = 'This is too long to be sent. Shorten it and try again.'
/** For more than can be given back: the page that was left still has it. */
export const FAR_TOO_LONG = {
  title: 'This is too long to be sent',
  text: 'Go back and shorten it: most browsers keep what you typed.',
} as const
