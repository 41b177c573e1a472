/** A new match as both the overlay and its page show it. */
export type MatchView = {
  roomId: string
  me: { firstName: string; avatar: string | null }
  other: { id: string; firstName: string; avatar: string | null }
  /** First messages that fit the two. */
  openers: readonly string[]
  /** Of the message that the page's form sends. */
  messageId: string
}
