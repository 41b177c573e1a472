import { useFetcher } from '@remix-run/react'
import { useCallback, useEffect, useState } from 'react'
import { VOICE_MAX_SECONDS } from '../../../domain/profile/limits.ts'
import { FieldErrors } from '../../forms/field.tsx'
import type { FormReply } from '../../forms/reply.ts'
import { useReply } from '../../forms/use-reply.ts'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { RECORDINGS } from '../../ui/media/accepted.ts'
import { RecorderControls } from '../../ui/media/recorder-controls.tsx'
import { upload } from '../../ui/media/upload.ts'
import { useRecorder } from '../../ui/media/use-recorder.ts'
import { SectionFrame, type SectionPage, useSheetEnd } from '../../ui/profile/section-form.tsx'
import { underWay } from '../../ui/under-way.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'

const ACTION = '?section=voice#voice'
const NOTHING = 'Record something first.'
/** By what the address or the reply calls it. */
export const VOICE_SAVED: ReadonlyMap<string, string> = new Map([
  ['voice', 'Voice intro saved ✅'],
  ['voice-gone', 'Voice intro deleted.'],
])

/** Record, listen, save, delete (spec 2 §2 and §4). Without script a file does it. */
export function VoiceSection({ voice, page }: { voice: string | null; page: SectionPage }) {
  const hydrated = useHydrated()
  const fetcher = useFetcher<FormReply>()
  const reply = useReply(fetcher.data ?? (page.reply?.form?.startsWith('voice-') ? page.reply : undefined))
  const saved = fetcher.data && !underWay(fetcher) ? VOICE_SAVED.get(String(reply?.done)) : undefined
  useSheetEnd(saved ?? null, page.sheetOver)
  const commandId = page.commandIds.voice
  return (
    <SectionFrame section="voice" title="Voice intro" page={page}>
      <p className="soft">Up to {VOICE_MAX_SECONDS} seconds in your own voice.</p>
      {voice ? (
        <fetcher.Form method="post" action={ACTION} className="row" preventScrollReset>
          {/* biome-ignore lint/a11y/useMediaCaption: a member's own short recording has no captions */}
          <audio controls preload="none" src={voice} aria-label="Your voice intro" />
          <input type="hidden" name="commandId" value={commandId} />
          {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
          <Button name="intent" value="voice-delete" icon="trash-2">
            Delete
          </Button>
        </fetcher.Form>
      ) : null}
      <NewVoice replaces={voice !== null} commandId={commandId} fetcher={fetcher} reply={reply} />
    </SectionFrame>
  )
}

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

type NewVoiceProps = {
  replaces: boolean
  commandId: string | undefined
  fetcher: ReturnType<typeof useFetcher<FormReply>>
  reply: FormReply | undefined
}

function NewVoice({ replaces, commandId, fetcher, reply }: NewVoiceProps) {
  const hydrated = useHydrated()
  const { take, put } = useTake()
  const recorder = useRecorder(put)
  const [share, setShare] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const busy = underWay(fetcher)?.get('intent') === 'voice-save' || share !== null
  const save = async () => {
    setError(take ? null : NOTHING)
    if (!take) return
    const sent = await upload(take.file, { purpose: 'voice', onProgress: setShare })
    if (sent.ok) {
      const fields = { intent: 'voice-save', media: sent.id, commandId: commandId ?? '', live: 'yes' }
      fetcher.submit(fields, { method: 'post', preventScrollReset: true })
      put(null)
    } else setError(sent.error)
    setShare(null)
  }
  return (
    <fetcher.Form
      method="post"
      action={ACTION}
      encType="multipart/form-data"
      className="stack stack-s"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <input type="hidden" name="commandId" value={commandId} />
      {recorder.available ? <RecorderControls recorder={recorder} again={take !== null || replaces} /> : null}
      <label htmlFor="voice-file" className="small soft">
        {recorder.available ? 'Or choose a recording' : 'Choose a recording'}
      </label>
      <input
        id="voice-file"
        type="file"
        name="voice"
        accept={RECORDINGS}
        {...(hydrated && { onChange: (event) => put(event.currentTarget.files?.[0] ?? null) })}
      />
      {take ? (
        <div className="row">
          {/* biome-ignore lint/a11y/useMediaCaption: a member's own short recording has no captions */}
          <audio controls src={take.url} aria-label="Preview of your recording" />
          <Button type="button" tone="quiet" icon="trash-2" onClick={() => put(null)}>
            Discard
          </Button>
        </div>
      ) : null}
      {share === null ? null : <Progress label="Uploading" value={Math.round(share * 100)} />}
      <div className="row">
        <Button name="intent" value="voice-save" tone="primary" busy={busy} disabled={recorder.recording}>
          Save<span className="visually-hidden"> voice intro</span>
        </Button>
      </div>
      <div role="alert">
        <FieldErrors id="voice-error" error={error ?? recorder.error ?? Object.values(reply?.fields ?? {})} />
      </div>
    </fetcher.Form>
  )
}
