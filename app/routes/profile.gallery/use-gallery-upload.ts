import { useSubmit } from '@remix-run/react'
import { useCallback, useState } from 'react'
import { upload } from '../../ui/media/upload.ts'

/** Files on their way: which one, how far it has come, and a sentence for each that failed. */
export type GalleryUpload = { sending: { name: string; share: number } | null; errors: readonly string[] }

const NOT_A_PICTURE = 'Avatar upload failed. It has to be a picture.'

/** Sends files one after the other, each made smaller first, and puts them into the gallery. */
export function useGalleryUpload(): GalleryUpload & { add: (files: readonly File[], asAvatar?: boolean) => void } {
  const submit = useSubmit()
  const [sending, setSending] = useState<GalleryUpload['sending']>(null)
  const [errors, setErrors] = useState<readonly string[]>([])
  const add = useCallback(
    async (files: readonly File[], asAvatar = false) => {
      setErrors([])
      if (asAvatar && files.some((file) => !file.type.startsWith('image/'))) {
        setErrors([NOT_A_PICTURE])
        return
      }
      const sent: string[] = []
      const failed = new Set<string>()
      for (const file of files) {
        setSending({ name: file.name, share: 0 })
        const onProgress = (share: number) => setSending({ name: file.name, share })
        const answer = await upload(file, { purpose: asAvatar ? 'avatar' : 'photo', onProgress })
        if (answer.ok) sent.push(answer.id)
        else failed.add(`${file.name}: ${answer.error}`)
      }
      setSending(null)
      setErrors([...failed])
      if (sent.length === 0) return
      const form = new FormData()
      form.set('intent', asAvatar ? 'add-avatar' : 'add')
      for (const id of sent) form.append('media', id)
      submit(form, { method: 'post', action: '/profile/gallery', preventScrollReset: true })
    },
    [submit],
  )
  return { sending, errors, add: (files, asAvatar) => void add(files, asAvatar) }
}
