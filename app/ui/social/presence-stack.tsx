import { Avatar } from '../picture/avatar.tsx'
import { presenceWords } from './presence-words.ts'
import './presence-stack.css'

/** So many faces are shown at most. */
const FACES = 4

type PresenceStackProps = {
  /** Those whose names are known, first who is named first. */
  people: readonly { name: string; src: string | null }[]
  /** How many there are with those who are not named. */
  total?: number
  /** What they do: 'online', 'nearby'. */
  what: string
}

/** Who is there: faces that overlap, and the same in words. */
export function PresenceStack({ people, total = people.length, what }: PresenceStackProps) {
  const faces = people.slice(0, FACES)
  const more = total - faces.length
  return (
    <div className="presence">
      {total > 0 ? (
        <span className="presence-faces" aria-hidden="true">
          {faces.map(({ name, src }) => (
            <Avatar key={name} name={name} src={src} size="s" />
          ))}
          {more > 0 ? <span className="presence-more tabular">+{more}</span> : null}
        </span>
      ) : null}
      <p>{presenceWords(people, total, what)}</p>
    </div>
  )
}
