import { classes } from '../../../ui/classes.ts'
import { isEmojiAlone, piecesOf } from './message-pieces.ts'

type MessageTextProps = { text: string; ownHost: string }

/** The words of a message, addresses in them as links; a few emoji alone are large. */
export function MessageText({ text, ownHost }: MessageTextProps) {
  return (
    <span className={classes('bubble-text', isEmojiAlone(text) && 'bubble-emoji')}>
      {piecesOf(text, ownHost).map(({ words, href }, index) =>
        href ? (
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
