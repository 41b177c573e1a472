import { useEffect, useState } from 'react'
import './voice-player.css'

const load = async () => (await import('./voice-controls.tsx')).VoiceControls

/** Plays a short recording, and leads to any second of it. Until script has loaded what that takes, the browser's own player does. */
export function VoicePlayer({ src, label }: { src: string; label: string }) {
  const Controls = useLoaded(load)
  return Controls ? (
    <Controls key={src} src={src} label={label} />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: a member's own short recording has no captions
    <audio className="voice-player" controls preload="none" src={src} aria-label={label} />
  )
}

/** A part that takes the place of one that works without script, once it is loaded; null until then, and where it cannot be. */
export function useLoaded<Part>(load: () => Promise<Part>): Part | null {
  const [loaded, setLoaded] = useState<{ part: Part } | null>(null)
  useEffect(() => {
    load().then(
      (part) => setLoaded({ part }),
      () => undefined,
    )
  }, [load])
  return loaded?.part ?? null
}
