import { useLoaderData, useRevalidator } from '@remix-run/react'
import { useCallback, useState } from 'react'
import { upload } from '../../ui/media/upload.ts'

/** A file on its way; `error` once it failed. */
export type Upload = {
  key: number
  name: string
  preview: string
  isVideo: boolean
  share: number
  error: string | null
}

let lastKey = 0

/** Sends files one after the other and loads the page's list again after each. */
export function useUploads(purpose: 'photo' | 'voice') {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const { revalidate } = useRevalidator()
  const { as } = useLoaderData<{ as: string }>()
  const change = useCallback((key: number, part: Partial<Upload>) => {
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  }, [])
  const dismiss = useCallback((key: number) => {
    setUploads((all) => {
      const gone = all.find((one) => one.key === key)
      if (gone) URL.revokeObjectURL(gone.preview)
      return all.filter((one) => one.key !== key)
    })
  }, [])

  const add = useCallback(
    async (files: readonly File[]) => {
      const queued = files.map((file) => ({ file, entry: entryOf(file) }))
      setUploads((all) => [...all.filter((one) => !one.error), ...queued.map(({ entry }) => entry)])
      for (const { file, entry } of queued) {
        const sent = await upload(file, { purpose, as, onProgress: (share) => change(entry.key, { share }) })
        if (sent.ok) {
          dismiss(entry.key)
          revalidate()
        } else change(entry.key, { error: sent.error })
      }
    },
    [purpose, as, change, dismiss, revalidate],
  )
  return { uploads, add, dismiss, sending: uploads.some((one) => !one.error) }
}

function entryOf(file: File): Upload {
  lastKey += 1
  const preview = URL.createObjectURL(file)
  return { key: lastKey, name: file.name, preview, isVideo: file.type.startsWith('video/'), share: 0, error: null }
}
