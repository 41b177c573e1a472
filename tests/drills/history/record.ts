/** What a member can do to another; each is one command of the product. */
export type Act = 'buzz' | 'withdraw' | 'skip' | 'undo-skip' | 'send' | 'mark-read' | 'block' | 'unblock' | 'unmatch'

/** `ok` and `fail` were answered; `info` was not, or not in a way that settles what became of it. */
export type Result = 'ok' | 'fail' | 'info'

/** One try of a command. `invoked` and `ended` are positions in the one order of the recorder; `ended` null: never. */
export type Tried = {
  readonly command: string
  readonly act: Act
  readonly member: string
  readonly other: string
  readonly message?: string
  readonly invoked: number
  ended: number | null
  result: Result
  /** The position at which the command's outcome stands, as the product answers it. */
  position?: string
}

/** What a member's own lists showed: ids, ids with a number, or null where nothing may be read. */
export type Seen = readonly string[] | Readonly<Record<string, number>> | null
export type Look = {
  readonly what: 'matches' | 'liked' | 'blocks' | 'unread' | 'messages'
  readonly member: string
  /** Of `messages` alone. */
  readonly other?: string
  readonly invoked: number
  readonly ended: number
  readonly seen: Seen
}

/** An event as the log holds it; fields of other contexts' events are left out. */
export type Logged = {
  readonly position: string
  readonly stream: string
  readonly revision: number
  readonly type: string
  readonly command: string
  readonly actor: string
  /** Who did it, and to whom; of a match, the two. */
  readonly by?: string
  readonly to?: string
  readonly message?: string
  readonly number?: number
}

/** What the read models count for a member in the end. */
export type Counted = { member: string; unread: number; likedCount: number; likedYouCount: number; matchCount: number }

export type History = {
  readonly tries: readonly Tried[]
  readonly looks: readonly Look[]
  readonly log: readonly Logged[]
  readonly counted: readonly Counted[]
}

/** Writes down what workers do, in one order. */
export class Recorder {
  readonly tries: Tried[] = []
  readonly looks: Look[] = []
  private clock = 0

  invoke(what: Pick<Tried, 'command' | 'act' | 'member' | 'other' | 'message'>): Tried {
    const tried: Tried = { ...what, invoked: ++this.clock, ended: null, result: 'info' }
    this.tries.push(tried)
    return tried
  }

  end(tried: Tried, result: Result, position?: string | null): void {
    tried.ended = ++this.clock
    tried.result = result
    if (position) tried.position = position
  }

  /** A look counts from here; call the answer when it has come. */
  look(what: Pick<Look, 'what' | 'member' | 'other'>): (seen: Seen) => void {
    const invoked = ++this.clock
    return (seen) => void this.looks.push({ ...what, invoked, ended: ++this.clock, seen })
  }
}
