import { useSubmit } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { useOwner } from '../../shell/owner.tsx'
import { upload } from '../../ui/media/upload.ts'

/** A file on its way: how far it has come, or why it did not arrive. */
export type Sending = { key: string; file: File; share: number; error: string | null }

export type GalleryUpload = {
  sendings: readonly Sending[]
  add: (files: readonly File[]) => void
  retry: (sending: Sending) => void
  /** Takes back what is on its way, and dismisses what did not arrive. */
  cancel: (sending: Sending) => void
}

const NOT_A_PICTURE = 'Avatar upload failed. It has to be a picture.'

/**
 * Sends files one after the other, each made smaller first, and puts those that arrived into the gallery. `field` gets the
 * focus of a button that is gone.
 */
export function useGalleryUpload(asAvatar: boolean, field: RefObject<HTMLInputElement>): GalleryUpload {
  const { sendings, put, drop, clear } = useSendings(field)
  const taken = useRef(new Map<string, AbortController>())
  const owner = useOwner()
  const finish = useFinish(asAvatar)
  useEffect(() => {
    const { current } = taken
    return () => {
      for (const one of current.values()) one.abort()
    }
  }, [])

  async function sendOne(one: Sending): Promise<string | null> {
    const { signal } = taken.current.get(one.key) ?? {}
    if (!signal || signal.aborted) return null
    const onProgress = (share: number) => signal.aborted || put({ ...one, share })
    const answer = await upload(one.file, { ...owner, purpose: asAvatar ? 'avatar' : 'photo', onProgress, signal })
    if (signal.aborted) return null
    if (!answer.ok) put({ ...one, error: answer.error })
    else drop(one.key)
    return answer.ok ? answer.id : null
  }
  async function send(all: readonly Sending[]): Promise<void> {
    for (const one of all) {
      taken.current.set(one.key, new AbortController())
      put({ ...one, error: null, share: 0 })
    }
    const sent: string[] = []
    for (const one of all) {
      const id = await sendOne({ ...one, error: null })
      if (id) sent.push(id)
    }
    if (sent.length > 0) finish(sent)
  }
  return {
    sendings,
    retry: (one) => void send([one]),
    cancel: ({ key }) => {
      taken.current.get(key)?.abort()
      drop(key)
    },
    add: (files) => {
      clear()
      const all = files.map((file) => ({ key: crypto.randomUUID(), file, share: 0, error: null }))
      const isRefused = asAvatar && files.some((file) => !file.type.startsWith('image/'))
      if (isRefused) for (const one of all) put({ ...one, error: NOT_A_PICTURE })
      else void send(all)
    },
  }
}

/** The files on their way, each in its place. */
function useSendings(field: RefObject<HTMLInputElement>) {
  const [sendings, setSendings] = useState<readonly Sending[]>([])
  return {
    sendings,
    put: (next: Sending) =>
      setSendings((all) =>
        all.some(({ key }) => key === next.key)
          ? all.map((one) => (one.key === next.key ? next : one))
          : [...all, next],
      ),
    drop: (key: string) => {
      setSendings((all) => all.filter((one) => one.key !== key))
      requestAnimationFrame(() => isFocusLost() && field.current?.focus())
    },
    /** What did not arrive is over once others are chosen. */
    clear: () => setSendings((all) => all.filter(({ error }) => error === null)),
  }
}

function useFinish(asAvatar: boolean): (sent: readonly string[]) => void {
  const submit = useSubmit()
  const owner = useOwner()
  return (sent) => {
    const form = new FormData()
    if (owner.as) form.set('as', owner.as)
    form.set('intent', asAvatar ? 'add-avatar' : 'add')
    for (const id of sent) form.append('media', id)
    submit(form, { method: 'post', action: '/profile/gallery', preventScrollReset: true })
  }
}
