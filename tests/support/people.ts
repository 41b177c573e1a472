import type { DomainEvent, EventNamed } from '../../domain/all-events.ts'
import { DEFAULT_PREFERENCES } from '../../domain/profile/fields.ts'
import type { MediaId, MemberId, MessageId, NotificationId, ReportId } from '../../domain/shared/ids.ts'

export const T0 = new Date('2030-01-01T12:00:00Z')
/** So many minutes after the beginning. */
export const minute = (n: number): Date => new Date(T0.getTime() + n * 60_000)

/** The same id for the same name. */
export const memberId = (name: string): MemberId => name.toLowerCase().padEnd(24, 'z') as MemberId
export const mediaId = (name: string): MediaId => `m${name.toLowerCase()}`.padEnd(24, 'z') as MediaId
/** Ids as short as a test wants them. */
export const messageId = (id: string): MessageId => id as MessageId
export const reportId = (id: string): ReportId => id as ReportId
export const notificationId = (id: string): NotificationId => id as NotificationId

export const [ann, bea, cat, dan] = ['Ann', 'Bea', 'Cat', 'Dan'].map(memberId) as [
  MemberId,
  MemberId,
  MemberId,
  MemberId,
]

type Answers = Partial<Omit<EventNamed<'ProfileStarted'>, 'type' | 'member' | 'at'>>

export const started = (name: string, answers: Answers = {}): EventNamed<'ProfileStarted'> => ({
  type: 'ProfileStarted',
  member: memberId(name),
  firstName: name,
  lastName: `${name}son`,
  dob: '2000-06-15',
  gender: 'Female',
  lookingFor: 'serious',
  interestedIn: ['male', 'female', 'other'],
  phone: '',
  preferences: DEFAULT_PREFERENCES,
  interests: ['Music'],
  visibilityMode: 'auto',
  at: T0,
  ...answers,
})

/** A finished sign-up: two pictures named `<name>1` and `<name>2`, the first of which is the avatar. */
export function joined(name: string, answers: Answers = {}): DomainEvent[] {
  const member = memberId(name)
  const email = `${name.toLowerCase()}@example.com`
  const picture = (n: number): EventNamed<'MediaAdded'> => ({
    type: 'MediaAdded',
    member,
    media: mediaId(`${name}${n}`),
    kind: 'image',
    caption: '',
    privacy: 'public',
    at: T0,
  })
  return [
    { type: 'MemberRegistered', member, email, termsVersion: '1', demo: false, at: T0 },
    started(name, answers),
    picture(1),
    picture(2),
    { type: 'AvatarChosen', member, media: mediaId(`${name}1`), at: T0 },
  ]
}

export const buzzed = (from: MemberId, to: MemberId, at = T0): DomainEvent => ({
  type: 'Buzzed',
  from,
  to,
  via: 'discover',
  at,
})
/** Both buzzes and the match. */
export const matched = (first: MemberId, second: MemberId, at = T0): DomainEvent[] => [
  buzzed(first, second, at),
  buzzed(second, first, at),
  { type: 'Matched', members: [first, second], at },
]
export const messageSent = (
  from: MemberId,
  to: MemberId,
  number: number,
  text: string,
  at = minute(number),
): DomainEvent => ({
  type: 'MessageSent',
  message: messageId(`m-${number}`),
  number,
  from,
  to,
  text,
  media: null,
  at,
})
const between = <T extends 'Blocked' | 'Unblocked' | 'Unmatched'>(type: T) => {
  return (by: MemberId, target: MemberId, at = T0) => ({ type, by, target, at }) as EventNamed<T>
}
export const blocked = between('Blocked')
export const unblocked = between('Unblocked')
export const unmatched = between('Unmatched')
export const erased = (member: MemberId, at = T0): DomainEvent => ({ type: 'AccountErased', member, at })
