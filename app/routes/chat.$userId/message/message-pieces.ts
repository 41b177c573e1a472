import { readUrl } from '../../../../domain/shared/read-url.ts'
import { pageAlone } from '../../../request/page-alone.ts'

/** A piece of a message: words, or an address to open. */
export type Piece = { readonly words: string; readonly href?: string }

/** What turns the text around it is of no address. */
const ADDRESS = /https?:\/\/[^\s<>"“”\p{Bidi_C}]+/giu
/** Of a message; what is behind stays words: a page of fifty messages has more elements than a phone can draw otherwise. */
const MOST_LINKS = 20
/** What ends a sentence around an address is not of it. */
const SENTENCE_END = ".,!?;:'’*_~…"

/**
 * The text in pieces. Nothing of it becomes markup: an address is one that starts with http or https, and the browser can read.
 * `ownHost`: by which the page was asked for.
 */
export function piecesOf(text: string, ownHost: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  let links = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    if (links === MOST_LINKS) break
    const words = trimmed(found)
    const link = linkTo(words, ownHost)
    if (!link) continue
    if (index > end) pieces.push({ words: text.slice(end, index) })
    pieces.push(link)
    links++
    end = index + words.length
  }
  if (end < text.length) pieces.push({ words: text.slice(end) })
  return pieces
}

/** Without what ends a sentence and the brackets around it, each sign of which is looked at once. */
function trimmed(found: string): string {
  let unopened = count(found, ')') - count(found, '(')
  let end = found.length
  for (; end > 0; end--) {
    const sign = found[end - 1]!
    if (SENTENCE_END.includes(sign)) continue
    if (sign !== ')' || unopened <= 0) break
    unopened--
  }
  return found.slice(0, end)
}

const count = (text: string, sign: string) => text.split(sign).length - 1

/**
 * As typed where it begins with the host that it leads to, else as a browser writes it: letters of another script look alike. Null of
 * a name before the host, which would pass for the host.
 */
function linkTo(typed: string, ownHost: string): Piece | null {
  const url = readUrl(typed)
  const host = `${url?.origin}/`
  if (!url?.href.startsWith(host)) return null
  const words = `${typed}/`.toLowerCase().startsWith(host) ? typed : url.href
  // Whatever its port, its scheme and the dot at its end: a proxy may lead from any of them to ours.
  if (url.hostname.replace(/\.$/, '') !== ownHost) return { words, href: url.href }
  const page = pageAlone(url)
  // The words keep the query, for whoever copies them.
  return page === null ? null : { words, href: url.origin + page }
}

const EMOJI_ALONE =
  /^(?:\s*(?!\p{Emoji_Modifier})(?:\p{RI}{2}|(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Emoji_Modifier_Base}\p{Emoji_Modifier})(?:\p{Emoji_Modifier}|[\uFE0F\u20E3\u{E0020}-\u{E007F}]|\u200D\p{Emoji})*)){1,3}$/u
/** Longer than any three of them. */
const EMOJI_UNITS = 120

/** One to three emoji and nothing else. */
export const isEmojiAlone = (text: string): boolean => text.length <= EMOJI_UNITS && EMOJI_ALONE.test(text)
