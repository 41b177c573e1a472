let typed = { me: '', room: '', text: '' }

/** Keeps what a member typed in a room and did not send, for the page that a closed room shows. */
export function keepTyped(me: string, room: string, text: string): void {
  typed = { me, room, text }
}

/** The room of these two, whose id is made of theirs (ruling R16): it has the same one for both. */
export const roomOf = (one: string, other: string): string => [one, other].sort().join('_')

/** What this member typed last in this room. */
export const typedLast = (me: string, room: string): string =>
  me === typed.me && room === typed.room ? typed.text : ''
