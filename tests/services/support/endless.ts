/** A worker process that never comes to the end of some files, as a parser would of the next one that nobody knows. */
export const ENDLESS = new URL('./endless-process.ts', import.meta.url)

/**
 * It takes a WebM of so many bytes for one without an end: it hears of nothing any more, at no cost to others. With one more
 * byte it takes much memory too, with two it is busy all the time.
 */
export const ENDLESS_BYTES = 1_000

/** By their first bytes these are WebM. */
const webmOf = (bytes: number) => Buffer.concat([Buffer.from('1a45dfa387428284' + '7765626d', 'hex')], bytes)
export const endlessClip = () => webmOf(ENDLESS_BYTES)
export const largeClip = () => webmOf(ENDLESS_BYTES + 1)
export const busyClip = () => webmOf(ENDLESS_BYTES + 2)
