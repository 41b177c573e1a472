/** A piece of a message: words, or an address to open. */
export type Piece = { readonly words: string; readonly href?: string }

const ADDRESS = /https?:\/\/[^\s<>"“”]+/giu
/** What ends a sentence around an address is not of it. */
const SENTENCE_END = /[.,!?;:'’*_~…]+$/u
const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const

/** The text in pieces. Nothing of it becomes markup: an address is one that starts with http or https, and the browser can read. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const words = trimmed(found)
    const href = readable(words)
    if (!href) continue
    if (index > end) pieces.push({ words: text.slice(end, index) })
    pieces.push({ words, href })
    end = index + words.length
  }
  if (end < text.length) pieces.push({ words: text.slice(end) })
  return pieces
}

function trimmed(found: string): string {
  for (let words = found; ; ) {
    let shorter = words.replace(SENTENCE_END, '')
    for (const [open, close] of BRACKETS)
      if (shorter.endsWith(close) && count(shorter, close) > count(shorter, open)) shorter = shorter.slice(0, -1)
    if (shorter === words) return words
    words = shorter
  }
}

const count = (text: string, sign: string) => text.split(sign).length - 1

/** A name before the host would pass for the host. */
function readable(address: string): string | null {
  try {
    const { protocol, username, password, href } = new URL(address)
    return /^https?:$/.test(protocol) && username === '' && password === '' ? href : null
  } catch {
    return null
  }
}

const MODIFIED = '(?:\\uFE0F|\\p{Emoji_Modifier})?'
const SIGN = `(?:\\p{Emoji_Presentation}|\\p{Extended_Pictographic}\\uFE0F|\\p{Emoji_Modifier_Base}\\p{Emoji_Modifier})${MODIFIED}`
const JOINED = `(?:\\u200D\\p{Extended_Pictographic}${MODIFIED})*`
const EMOJI = `(?:\\p{Regional_Indicator}{2}|[0-9#*]\\uFE0F\\u20E3|${SIGN}${JOINED}[\\u{E0020}-\\u{E007F}]*)`
const EMOJI_ALONE = new RegExp(`^${EMOJI}(?:\\s*${EMOJI}){0,2}$`, 'u')
/** Longer than any three of them. */
const EMOJI_UNITS = 120

/** One to three emoji and nothing else. */
export const isEmojiAlone = (text: string): boolean => text.length <= EMOJI_UNITS && EMOJI_ALONE.test(text)
