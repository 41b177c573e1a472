import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../button.tsx'
import './voice-controls.css'

/** A recording has no length in its head: asked for what lies behind its end, a browser finds it. */
const BEHIND_ITS_END = 1e9

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/** A player in the look of the product: play and pause, and any second by a slider. */
export function VoiceControls({ src, label }: { src: string; label: string }) {
  const { audio, playing, at, length, failed, seek } = usePlayback()
  const toggle = () => (playing ? audio.current?.pause() : void audio.current?.play().catch(() => undefined))
  return (
    <fieldset className="voice-controls" aria-label={label}>
      {/* biome-ignore lint/a11y/useMediaCaption: a member's own short recording has no captions */}
      <audio ref={audio} src={src} preload="metadata" />
      <IconButton
        icon={playing ? 'pause' : 'play'}
        label={playing ? 'Pause' : 'Play'}
        tone="primary"
        onClick={toggle}
      />
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${Math.floor(at)} of ${Math.ceil(length ?? 0)} seconds`}
        min={0}
        max={length ?? 1}
        step={0.1}
        value={at}
        disabled={length === null}
        onChange={(event) => seek(Number(event.currentTarget.value))}
      />
      <span className="tabular small soft" aria-hidden="true">
        {clock(at)}
        {length === null ? '' : ` / ${clock(length)}`}
      </span>
      <span role="status" className="small">
        {failed ? 'This recording cannot be played.' : ''}
      </span>
    </fieldset>
  )
}

type Playback = { playing: boolean; at: number; length: number | null; failed: boolean }
const STOPPED: Playback = { playing: false, at: 0, length: null, failed: false }
const EVENTS = ['loadedmetadata', 'durationchange', 'timeupdate', 'seeked', 'play', 'pause', 'ended', 'error']

/** What the element of a player is at. `length` is null until it is known. */
function usePlayback() {
  const audio = useRef<HTMLAudioElement>(null)
  const [state, setState] = useState(STOPPED)
  useEffect(() => {
    const { current } = audio
    if (!current) return
    const search = searchOf(current)
    const look = () => {
      if (search()) return
      const { paused, currentTime, duration, error } = current
      const length = Number.isFinite(duration) && duration > 0 ? duration : null
      setState({ playing: !paused, at: Math.min(currentTime, length ?? 0), length, failed: error !== null })
    }
    for (const event of EVENTS) current.addEventListener(event, look)
    look()
    return () => {
      for (const event of EVENTS) current.removeEventListener(event, look)
    }
  }, [])
  const seek = (at: number) => {
    if (audio.current) audio.current.currentTime = at
    setState((before) => ({ ...before, at }))
  }
  return { ...state, audio, seek }
}

/** Looks for the length of a recording where the element does not know it, and goes on from its start; true meanwhile. */
function searchOf(audio: HTMLAudioElement): () => boolean {
  let isSearching = false
  let wasPlaying = false
  return () => {
    if (audio.duration === Number.POSITIVE_INFINITY && !isSearching) {
      isSearching = true
      wasPlaying = !audio.paused
      audio.currentTime = BEHIND_ITS_END
    } else if (isSearching && Number.isFinite(audio.duration)) {
      isSearching = false
      audio.currentTime = 0
      if (wasPlaying) void audio.play().catch(() => undefined)
    }
    return isSearching
  }
}
