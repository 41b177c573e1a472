import { useSubmit } from '@remix-run/react'
import { useCallback, useState } from 'react'
import { sendFile } from '../wizard/send-file.ts'

/** Files on their way: which one, how far it has come, and why one failed. */
export type GalleryUpload = { sending: { name: string; share: number } | null; error: string | null }

const NOT_A_PICTURE = 'Avatar upload failed. It has to be a picture.'

/** Sends files one after the other, each made smaller first, and puts them into the gallery. */
export function useGalleryUpload(): GalleryUpload & { add: (files: readonly File[], asAvatar?: boolean) => void } {
  const submit = useSubmit()
  const [sending, setSending] = useState<GalleryUpload['sending']>(null)
  const [error, setError] = useState<string | null>(null)
  const add = useCallback(
    async (files: readonly File[], asAvatar = false) => {
      setError(null)
      if (asAvatar && files.some((file) => !file.type.startsWith('image/'))) {
        setError(NOT_A_PICTURE)
        return
      }
      const sent: string[] = []
      for (const file of files) {
        setSending({ name: file.name, share: 0 })
        try {
          const onProgress = (share: number) => setSending({ name: file.name, share })
          sent.push((await sendFile(file, { purpose: 'photo', onProgress })).id)
        } catch (failed) {
          setError(failed instanceof Error ? failed.message : 'Photo upload failed. Please try again.')
        }
      }
      setSending(null)
      if (sent.length === 0) return
      const form = new FormData()
      form.set('intent', asAvatar ? 'add-avatar' : 'add')
      for (const id of sent) form.append('media', id)
      submit(form, { method: 'post', action: '/profile/gallery', preventScrollReset: true })
    },
    [submit],
  )
  return { sending, error, add: (files, asAvatar) => void add(files, asAvatar) }
}
