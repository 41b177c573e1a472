import { useCallback, useEffect, useRef, useState } from 'react'
import { VOICE_MAX_SECONDS } from '../../../domain/profile/limits.ts'

const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']
export const NO_MICROPHONE = 'Microphone permission is required to record.'

export type Recorder = {
  /** False until script runs, and where the browser cannot record: the file field is there for both. */
  available: boolean
  recording: boolean
  seconds: number
  error: string | null
  start: () => Promise<void>
  stop: () => void
}

/** Records up to sixty seconds from the microphone, then hands over the file. */
export function useRecorder(onRecorded: (file: File) => void): Recorder {
  const [available, setAvailable] = useState(false)
  const [recording, setRecording] = useState(false)
  const [seconds, setSeconds] = useState(0)
  const [error, setError] = useState<string | null>(null)
  const recorder = useRef<MediaRecorder | null>(null)
  const deliver = useRef(onRecorded)
  deliver.current = onRecorded

  useEffect(() => {
    setAvailable('MediaRecorder' in window && Boolean(navigator.mediaDevices))
    return () => {
      for (const track of recorder.current?.stream.getTracks() ?? []) track.stop()
    }
  }, [])

  const stop = useCallback(() => {
    if (recorder.current?.state === 'recording') recorder.current.stop()
  }, [])

  useEffect(() => {
    if (!recording) return
    const startedAt = performance.now()
    const timer = setInterval(() => {
      const passed = Math.floor((performance.now() - startedAt) / 1000)
      setSeconds(Math.min(passed, VOICE_MAX_SECONDS))
      if (passed >= VOICE_MAX_SECONDS) stop()
    }, 200)
    return () => clearInterval(timer)
  }, [recording, stop])

  const start = useCallback(async () => {
    setError(null)
    try {
      recorder.current = await listen((file) => {
        setRecording(false)
        deliver.current(file)
      })
      setSeconds(0)
      setRecording(true)
    } catch {
      setError(NO_MICROPHONE)
    }
  }, [])

  return { available, recording, seconds, error, start, stop }
}

/** A running recorder that gives its whole recording when it stops. */
async function listen(onFile: (file: File) => void): Promise<MediaRecorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {})
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.onstop = () => {
    for (const track of stream.getTracks()) track.stop()
    const type = recorder.mimeType.split(';')[0]!
    onFile(new File(parts, `voice.${type.split('/')[1]}`, { type }))
  }
  recorder.start()
  return recorder
}
