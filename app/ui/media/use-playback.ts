import { useEffect, useRef, useState } from 'react'

/** A recording has no length in its head: asked for what lies behind its end, a browser finds it. */
const BEHIND_ITS_END = 1e9

/** Minutes and seconds, as players show them. */
export const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

type Playback = { playing: boolean; at: number; length: number | null; failed: boolean }
const STOPPED: Playback = { playing: false, at: 0, length: null, failed: false }
const EVENTS = ['loadedmetadata', 'durationchange', 'timeupdate', 'seeked', 'play', 'pause', 'ended', 'error']

/** What the element of a player is at. `length` is null until it is known. */
export function usePlayback<Media extends HTMLMediaElement>() {
  const media = useRef<Media>(null)
  const [state, setState] = useState(STOPPED)
  useEffect(() => {
    const { current } = media
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
    if (media.current) media.current.currentTime = at
    setState((before) => ({ ...before, at }))
  }
  const toggle = () => (state.playing ? media.current?.pause() : void media.current?.play().catch(() => undefined))
  return { ...state, media, seek, toggle }
}

/** Looks for the length of a recording where the element does not know it, and goes on from its start; true meanwhile. */
function searchOf(media: HTMLMediaElement): () => boolean {
  let isSearching = false
  let wasPlaying = false
  return () => {
    if (media.duration === Number.POSITIVE_INFINITY && !isSearching) {
      isSearching = true
      wasPlaying = !media.paused
      media.currentTime = BEHIND_ITS_END
    } else if (isSearching && Number.isFinite(media.duration)) {
      isSearching = false
      media.currentTime = 0
      if (wasPlaying) void media.play().catch(() => undefined)
    }
    return isSearching
  }
}
