import { useSubmit } from '@remix-run/react'
import { useCallback, useState } from 'react'
import { upload } from '../../ui/media/upload.ts'

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
        const onProgress = (share: number) => setSending({ name: file.name, share })
        const answer = await upload(file, { purpose: 'photo', onProgress })
        if (answer.ok) sent.push(answer.id)
        else setError(answer.error)
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
