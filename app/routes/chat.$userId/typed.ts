let typed = { room: '', text: '' }

/** Keeps what is typed in a room and not sent, for the page that a closed room shows. */
export function keepTyped(room: string, text: string): void {
  typed = { room, text }
}

/** What was typed last in the room of these two, whose id is made of theirs (ruling R16). */
export const typedBetween = (one = '', other = '') => ([one, other].sort().join('_') === typed.room ? typed.text : '')
