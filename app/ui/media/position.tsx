import { clock } from './use-playback.ts'

type PositionProps = {
  /** In seconds; `length` is null until it is known. */
  readonly at: number
  readonly length: number | null
  readonly onSeek: (at: number) => void
}

/** Where a recording plays, as a slider to any second of it. */
export function PositionSlider({ at, length, onSeek }: PositionProps) {
  return (
    <input
      type="range"
      aria-label="Position"
      aria-valuetext={`${Math.floor(at)} of ${Math.ceil(length ?? 0)} seconds`}
      min={0}
      max={length ?? 1}
      step={0.1}
      value={at}
      disabled={length === null}
      onChange={(event) => onSeek(Number(event.currentTarget.value))}
    />
  )
}

/** The same in minutes and seconds. */
export const clockOf = (at: number, length: number | null): string =>
  length === null ? clock(at) : `${clock(at)} / ${clock(length)}`
