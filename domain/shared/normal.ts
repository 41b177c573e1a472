/**
 * The Stream-Safe Text Format of Unicode's annex 15: no text of any language has more marks on a letter. U+16D67 is a letter
 * that is joined to one like it before it, as a mark is. Each run is looked at once, from its start.
 */
const TOO_MANY_MARKS = /(?<![\p{M}\u{16d67}])([\p{M}\u{16d67}]{30})[\p{M}\u{16d67}]+/gu

/**
 * NFC, with at most thirty marks on a letter: putting them in order takes as long as the square of their number, and a text
 * that anybody sends is normalised before its length is looked at.
 */
export const normal = (text: string): string => text.replace(TOO_MANY_MARKS, '$1').normalize('NFC')
