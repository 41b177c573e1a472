const WIDTH = 24
const TERMINAL_EVERY_MS = 100
const LINES_EVERY_MS = 5_000
const CLEAR_LINE = '\r\u001b[2K'

export type ProgressLine = {
  /** `done` counts up to `total`; `total` may be corrected on the way. */
  at(done: number, total?: number): void
  /** Draws the last state, once where lines stay, and ends the line. */
  end(): void
}

export type ProgressOptions = {
  what: string
  total: number
  unit: string
  out?: { write(text: string): unknown; isTTY?: boolean }
  /** Milliseconds. */
  now?: () => number
}

/** A bar with per cent, rate and time left; plain lines, seldom, where the output is not a terminal. */
export function progressBar(options: ProgressOptions): ProgressLine {
  const { out = process.stderr, now = () => performance.now() } = options
  const terminal = out.isTTY === true
  const every = terminal ? TERMINAL_EVERY_MS : LINES_EVERY_MS
  const started = now()
  let state = { done: 0, total: options.total }
  let drawn: typeof state | undefined
  let drawnAt = Number.NEGATIVE_INFINITY
  const draw = () => {
    drawnAt = now()
    drawn = state
    const line = progressLine({ ...options, ...state, seconds: (drawnAt - started) / 1000, bar: terminal })
    out.write(terminal ? `${CLEAR_LINE}${line}` : `${line}\n`)
  }
  return {
    at(done, total = state.total) {
      state = { done, total }
      if (now() - drawnAt >= every) draw()
    },
    end() {
      if (terminal || drawn !== state) draw()
      if (terminal) out.write('\n')
    },
  }
}

type Line = { what: string; unit: string; done: number; total: number; seconds: number; bar: boolean }

/** For example `Discover  ███░░░  50 %  1200/2400 events  400/s  3 s left`. */
export function progressLine({ what, unit, done, total, seconds, bar }: Line): string {
  const share = total > 0 ? Math.min(1, done / total) : 1
  const rate = seconds > 0 ? done / seconds : 0
  const left = rate > 0 && done < total ? `${duration((total - done) / rate)} left` : `in ${duration(seconds)}`
  const filled = Math.round(share * WIDTH)
  const picture = bar ? [`${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`] : []
  const per = `${Math.floor(share * 100)} %`
  return [what, ...picture, per, `${done}/${total} ${unit}`, `${Math.round(rate)}/s`, left].join('  ')
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`
}
