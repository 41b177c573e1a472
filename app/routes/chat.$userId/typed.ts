let typed = { room: '', text: '' }

/** Keeps what is typed in a room and not sent, for the page that a closed room shows. */
export function keepTyped(room: string, text: string): void {
  typed = { room, text }
}

/** What its member typed last in the room of these two. */
export function typedBetween(me: string | undefined, other: string | undefined): string {
  const members = typed.room.split('_')
  return me && other && members.includes(me) && members.includes(other) ? typed.text : ''
}
