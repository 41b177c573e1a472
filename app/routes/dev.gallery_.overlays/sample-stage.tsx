import { TextInput } from '../../forms/text-input.tsx'
import filmUrl from '../../ui/dev/film.webm?url&no-inline'
import { scene } from '../../ui/dev/scenes.ts'
import { Avatar } from '../../ui/picture/avatar.tsx'
import { Stage } from '../../ui/stage/stage.tsx'

type Story = { name: string; alt: string; seconds?: number; reply?: boolean; isVideo?: boolean }

/** A story that moves on by itself, one to answer, pictures that stay, and videos as long as they play. */
export const STORIES: readonly Story[] = [
  { name: 'Story of Ann', alt: 'Evening over the hills', seconds: 5 },
  { name: 'Story to answer', alt: 'A lake in the morning', seconds: 5, reply: true },
  { name: 'Pictures that stay', alt: 'A red sky' },
  { name: 'Reels', alt: 'A light over the hills', seconds: 5, isVideo: true },
]
const EACH = 3

export const storyLink = (story: number, at = 0) => `?story=${story}&at=${at}`

const openerOf = (story: number) =>
  document.querySelector<HTMLElement>(`main a[href*="?story=${story}&"]:not(dialog a)`)

/** The stage that the address asks for. */
export function SampleStage({ search, closeTo }: { search: URLSearchParams; closeTo: string }) {
  const number = Number(search.get('story') ?? Number.NaN)
  const story = STORIES[number]
  if (!story) return null
  const at = Math.min(EACH - 1, Math.max(0, Math.trunc(Number(search.get('at'))) || 0))
  const next = number < 1 ? storyLink(number + 1) : undefined
  return (
    <Stage
      label={story.name}
      at={at}
      count={EACH}
      toOf={(to) => storyLink(number, to)}
      closeTo={closeTo}
      {...(next && { after: next })}
      {...(story.seconds && { seconds: story.seconds })}
      openerOf={() => openerOf(number)}
      head={
        <>
          <Avatar name="Ann" />
          <span className="overlay-whose">
            <strong>Ann</strong>
            <span className="small">2 hours ago</span>
          </span>
        </>
      }
      foot={story.reply ? <TextInput label="Reply to Ann" name="reply" hideLabel placeholder="Reply to Ann" /> : null}
    >
      {story.isVideo ? (
        <video
          key={at}
          src={filmUrl}
          aria-label={story.alt}
          width={240}
          height={300}
          muted
          playsInline
          preload="metadata"
        />
      ) : (
        <img key={at} src={scene(number + at, 900, 1600)} alt={story.alt} width={900} height={1600} draggable={false} />
      )}
    </Stage>
  )
}
