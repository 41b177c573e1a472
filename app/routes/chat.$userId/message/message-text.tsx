import { classes } from '../../../ui/classes.ts'
import { isEmojiAlone, piecesOf } from './message-pieces.ts'

/** The words of a message, addresses in them as links; a few emoji alone are large. */
export function MessageText({ text }: { text: string }) {
  return (
    <span className={classes('bubble-text', isEmojiAlone(text) && 'bubble-emoji')}>
      {piecesOf(text).map(({ words, href }, index) =>
        href ? (
          // Without a referrer an address of our own counts as one of another site (`isFromElsewhere`).
          // biome-ignore lint/suspicious/noArrayIndexKey: a message keeps its words
          <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow">
            {words}
          </a>
        ) : (
          words
        ),
      )}
    </span>
  )
}
