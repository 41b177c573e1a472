import type { useFetcher } from '@remix-run/react'
import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react'
import { FieldErrors } from '../../forms/field.tsx'
import type { FormReply } from '../../forms/reply.ts'
import { Owner, useOwner } from '../../shell/owner.tsx'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { RECORDINGS } from '../../ui/media/accepted.ts'
import { RecorderControls } from '../../ui/media/recorder-controls.tsx'
import { upload } from '../../ui/media/upload.ts'
import { UploadPick } from '../../ui/media/upload-pick.tsx'
import { useRecorder } from '../../ui/media/use-recorder.ts'
import { VoicePlayer } from '../../ui/media/voice-player.tsx'
import { underWay } from '../../ui/under-way.ts'

export { VoicePlayer }

const ACTION = '?section=voice#voice'
const NOTHING = 'Record something first.'

/** A recording or a chosen file, before it is saved. */
function useTake() {
  const [take, setTake] = useState<{ file: File; url: string } | null>(null)
  const put = useCallback((file: File | null) => {
    setTake((before) => {
      if (before) URL.revokeObjectURL(before.url)
      return file && { file, url: URL.createObjectURL(file) }
    })
  }, [])
  useEffect(() => () => put(null), [put])
  return { take, put }
}

/** Where what stood here until script was loaded had the focus, it goes on: at the recorder, once that is there. */
function useKeptFocus(available: boolean) {
  const form = useRef<HTMLFormElement>(null)
  const isLost = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the recorder comes to the first place after the file
  useEffect(() => {
    isLost.current ||= document.activeElement === document.body
    if (isLost.current) form.current?.querySelector<HTMLElement>('button, input:not([type=hidden])')?.focus()
  }, [available])
  return form
}

export type NewVoiceProps = {
  replaces: boolean
  commandId: string | undefined
  fetcher: ReturnType<typeof useFetcher<FormReply>>
  reply: FormReply | undefined
}

/** Records or takes a file, plays it back, and sends it with its progress. */
export function NewVoice({ replaces, commandId, fetcher, reply }: NewVoiceProps) {
  const { take, put } = useTake()
  const owner = useOwner()
  const recorder = useRecorder(put)
  const form = useKeptFocus(recorder.available)
  const [share, setShare] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const taking = useRef<AbortController>()
  const busy = underWay(fetcher)?.get('intent') === 'voice-save' || share !== null
  const save = async () => {
    setError(take ? null : NOTHING)
    if (!take) return
    taking.current = new AbortController()
    const { signal } = taking.current
    setShare(0)
    const sent = await upload(take.file, { ...owner, purpose: 'voice', onProgress: setShare, signal })
    if (sent.ok) {
      const fields = { ...owner, intent: 'voice-save', media: sent.id, commandId: commandId ?? '', live: 'yes' }
      fetcher.submit(fields, { method: 'post', preventScrollReset: true })
      put(null)
    } else if (!signal.aborted) setError(sent.error)
    setShare(null)
  }
  const cancel = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    currentTarget.form?.querySelector<HTMLElement>('[value=voice-save]')?.focus()
    taking.current?.abort()
  }
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={ACTION}
      encType="multipart/form-data"
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Owner />
      <input type="hidden" name="commandId" value={commandId} />
      {recorder.available ? <RecorderControls recorder={recorder} again={take !== null || replaces} /> : null}
      <div className="upload-add upload-add-live">
        <UploadPick htmlFor="voice-file" icon="music">
          {recorder.available ? 'Or choose a recording' : 'Choose a recording'}
        </UploadPick>
        <input
          id="voice-file"
          type="file"
          name="voice"
          accept={RECORDINGS}
          onChange={(event) => put(event.currentTarget.files?.[0] ?? null)}
        />
      </div>
      {take ? (
        <div className="row">
          <VoicePlayer src={take.url} label="Preview of your recording" />
          <Button type="button" tone="quiet" icon="trash-2" onClick={() => put(null)}>
            Discard
          </Button>
        </div>
      ) : null}
      {share === null ? null : <Progress label="Uploading" value={Math.round(share * 100)} />}
      <Button name="intent" value="voice-save" tone="primary" busy={busy} disabled={recorder.recording} wide>
        Save<span className="visually-hidden"> voice intro</span>
      </Button>
      {share === null ? null : (
        <Button type="button" tone="quiet" icon="x" onClick={cancel}>
          Cancel
        </Button>
      )}
      <div role="alert">
        <FieldErrors id="voice-error" error={error ?? recorder.error ?? Object.values(reply?.fields ?? {})} />
      </div>
    </fetcher.Form>
  )
}
