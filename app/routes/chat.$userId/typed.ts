let typed = { room: '', text: '' }

/** Keeps what is typed in a room and not sent, for the page that a closed room shows. */
export function keepTyped(room: string, text: string): void {
  typed = { room, text }
}

/** The room of these two, whose id is made of theirs (ruling R16). */
export const roomOf = (one: string, other: string): string => [one, other].sort().join('_')

/** What was typed last in this room. */
export const typedLast = (room: string): string => (room === typed.room ? typed.text : '')
