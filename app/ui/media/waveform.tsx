import { useEffect, useState } from 'react'

const BARS = 40
/** A bar of silence is a dot. */
const LEAST = 0.06
const RATE = 8_000

/** How loud each of so many parts of a recording is, from 0 to 1, the loudest at 1. */
export function peaksOf(samples: Float32Array, bars = BARS): number[] {
  const size = samples.length / bars
  const loud = Array.from({ length: bars }, (_, bar) => {
    const part = samples.subarray(Math.floor(bar * size), Math.floor((bar + 1) * size))
    return Math.sqrt(part.reduce((sum, one) => sum + one * one, 0) / Math.max(1, part.length))
  })
  const most = Math.max(...loud)
  return loud.map((one) => (most > 0 ? one / most : 0))
}

async function readPeaks(src: string): Promise<number[]> {
  const bytes = await (await fetch(src)).arrayBuffer()
  const decoded = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes)
  return peaksOf(decoded.getChannelData(0))
}

/** The waves of a recording once somebody plays it, and has fetched it with that; null until then and where it cannot be read. */
export function useWaveform(src: string, playing: boolean): readonly number[] | null {
  const [peaks, setPeaks] = useState<readonly number[] | null>(null)
  const [isWanted, setIsWanted] = useState(false)
  if (playing && !isWanted) setIsWanted(true)
  useEffect(() => {
    if (!isWanted) return
    let isOver = false
    readPeaks(src).then(
      (read) => isOver || setPeaks(read),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [src, isWanted])
  return peaks
}

/** Bars of 2 in steps of 4, around the middle of a box that is 24 high. */
const barAt = (peak: number, at: number) => {
  const half = 10 * Math.max(LEAST, peak)
  return `M${4 * at + 2} ${12 - half}v${2 * half}`
}

/** The share that has been played is in honey. */
export function Waveform({ peaks, share }: { peaks: readonly number[]; share: number }) {
  const played = Math.round(share * peaks.length)
  const bars = peaks.map(barAt)
  return (
    <svg className="waveform" viewBox={`0 0 ${4 * peaks.length} 24`} preserveAspectRatio="none" aria-hidden="true">
      <path className="waveform-played" d={bars.slice(0, played).join('')} />
      <path className="waveform-rest" d={bars.slice(played).join('')} />
    </svg>
  )
}
