import { useCallback, useEffect, useRef, useState } from 'react'
import { moved, type Send, type Slot } from './slots.ts'

type Queued = { readonly key: string; readonly file: File; readonly taken: AbortController }

type Put = (key: string, next: (slot: Slot) => Slot) => void

/** Files on their way into slots: sent one after the other, again on demand, taken back, put in another order. */
export function useSlots(send: Send, first: readonly Slot[] = []) {
  const [slots, setSlots] = useState(first)
  const put = useCallback<Put>((key, next) => {
    setSlots((all) => all.map((one) => (one.key === key ? next(one) : one)))
  }, [])
  const queue = useQueue(send, put)
  return {
    slots,
    add: (chosen: readonly File[]) => {
      const all = chosen.map((file) => ({ file, slot: slotOf(file) }))
      setSlots((before) => [...before, ...all.map(({ slot }) => slot)])
      for (const { file, slot } of all) queue.add(slot.key, file)
    },
    retry: (key: string) => {
      put(key, (one) => ({ ...one, state: 'waiting' }))
      queue.again(key)
    },
    remove: (key: string) => {
      queue.drop(key)
      const gone = slots.find((one) => one.key === key)
      if (gone?.preview.startsWith('blob:')) URL.revokeObjectURL(gone.preview)
      setSlots((all) => all.filter((one) => one.key !== key))
    },
    move: (key: string, by: number) => setSlots((all) => moved(all, key, by)),
  }
}

/** Sends files in turn, and puts how far each is into its slot. With the page all that is on its way is taken back. */
function useQueue(send: Send, put: Put) {
  const files = useRef(new Map<string, Queued>())
  const last = useRef(Promise.resolve())
  const sender = useRef(send)
  sender.current = send
  useEffect(() => {
    const { current } = files
    return () => {
      for (const { taken } of current.values()) taken.abort()
    }
  }, [])
  async function sendNow({ key, file, taken: { signal } }: Queued): Promise<void> {
    if (signal.aborted) return
    const onProgress = (share: number) => signal.aborted || put(key, (one) => ({ ...one, state: 'sending', share }))
    onProgress(0)
    const answer = await sender.current(file, { onProgress, signal })
    if (signal.aborted) return
    put(key, (one) =>
      answer.ok ? { ...one, state: 'sent', id: answer.id } : { ...one, state: 'failed', error: answer.error },
    )
  }
  function add(key: string, file: File): void {
    const queued = { key, file, taken: new AbortController() }
    files.current.set(key, queued)
    last.current = last.current.then(() => sendNow(queued))
  }
  return {
    add,
    again: (key: string) => {
      const queued = files.current.get(key)
      if (queued) add(key, queued.file)
    },
    drop: (key: string) => {
      files.current.get(key)?.taken.abort()
      files.current.delete(key)
    },
  }
}

function slotOf(file: File): Slot {
  return {
    key: crypto.randomUUID(),
    name: file.name,
    preview: URL.createObjectURL(file),
    isVideo: file.type.startsWith('video/'),
    state: 'waiting',
  }
}
