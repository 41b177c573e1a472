import { setScriptCookie } from '../shell/script-cookie.ts'

const TOGETHER_MS = 50
const APART_MS = 1_000
const OVER_AT_MOST = 5

/** Carries the position that this page has heard of to its loaders, which wait for their read models to reach it. */
export const noteSeen = (pos: string): void => setScriptCookie('__Host-live', pos)

/** Brings reloads of the page's data together: one for a burst, and at most one a second. */
export class Reloading {
  private timer: ReturnType<typeof setTimeout> | undefined
  private lastAt = 0
  private waiting: ((pos: string | null) => void) | undefined
  private started = false
  private again = false
  private busy = false
  private isOver = false
  private pos: string | null = null
  declare private heard: string

  constructor(private readonly revalidate: () => void) {}

  /** Reads the page's data again soon, unless it shows what was heard of by then, as after a form of its own. */
  soon(heard: string): void {
    this.heard = heard
    if (this.timer !== undefined) return
    const wait = Math.max(TOGETHER_MS, this.lastAt + APART_MS - Date.now())
    this.timer = setTimeout(() => {
      this.timer = undefined
      if (!(this.pos! >= this.heard)) this.next()
    }, wait)
  }

  /** Reads it now; resolves with the position that it was read at, null where that is not known. */
  whole(): Promise<string | null> {
    return new Promise((resolve) => {
      this.waiting = resolve
      this.started = false
      this.next()
    })
  }

  /** Reports the state of the page: whether it is reading, and the position of what it shows. */
  update(busy: boolean, pos: string | null): void {
    const ended = this.busy && !busy
    this.busy = busy
    this.pos = pos
    if (!ended) return
    if (this.waiting && this.started) {
      this.waiting(this.pos)
      this.waiting = undefined
    }
    if (this.again || (this.waiting && !this.started)) this.now()
  }

  /**
   * The session is over: reads now, and a few times more, ever further apart, while this page stays open. Pages hear of
   * it later than the socket did, the frame of nobody perhaps before the page itself: that ends no reading.
   */
  over(): void {
    this.isOver = true
    const { pathname } = window.location
    const read = (times: number) => {
      if (window.location.pathname !== pathname) return
      this.now()
      if (times < OVER_AT_MOST) this.timer = setTimeout(() => read(times + 1), APART_MS * 2 ** times)
    }
    clearTimeout(this.timer)
    read(0)
  }

  stop(): void {
    if (!this.isOver) clearTimeout(this.timer)
  }

  /** Now, or once the reading that is under way has ended. */
  private next(): void {
    if (this.busy) this.again = true
    else this.now()
  }

  private now(): void {
    this.again = false
    this.started = true
    this.lastAt = Date.now()
    this.revalidate()
  }
}
