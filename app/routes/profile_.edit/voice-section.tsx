import { useFetcher } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { VOICE_MAX_SECONDS } from '../../../domain/profile/limits.ts'
import { FieldErrors } from '../../forms/field.tsx'
import type { FormReply } from '../../forms/reply.ts'
import { useReply } from '../../forms/use-reply.ts'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../../ui/button.tsx'
import { RECORDINGS } from '../../ui/media/accepted.ts'
import { UploadPick } from '../../ui/media/upload-pick.tsx'
import { type SectionPage, SheetFrame, useSheetEnd } from '../../ui/profile/section-form.tsx'
import { underWay } from '../../ui/under-way.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import type { NewVoiceProps } from './new-voice.tsx'

const ACTION = '?section=voice#voice'
type Loaded = Pick<typeof import('./new-voice.tsx'), 'NewVoice' | 'VoicePlayer'>

/** Without script, and until its part is here, the browser's own controls do. */
function useVoiceParts(): Loaded {
  const [parts, setParts] = useState<Loaded>({ NewVoice: PlainVoice, VoicePlayer: PlainPlayer })
  useEffect(() => {
    import('./new-voice.tsx').then(setParts, () => undefined)
  }, [])
  return parts
}

function PlainPlayer({ src, label }: { src: string; label: string }) {
  // biome-ignore lint/a11y/useMediaCaption: a member's own short recording has no captions
  return <audio controls preload="none" src={src} aria-label={label} />
}

/** By what the address or the reply calls it. */
export const VOICE_SAVED: ReadonlyMap<string, string> = new Map([
  ['voice', 'Voice intro saved ✅'],
  ['voice-gone', 'Voice intro deleted.'],
])

/** Record, listen, save, delete (spec 2 §2 and §4). Without script a file does it. */
export function VoiceSection({ voice, page }: { voice: string | null; page: SectionPage }) {
  const hydrated = useHydrated()
  const { NewVoice, VoicePlayer } = useVoiceParts()
  const fetcher = useFetcher<FormReply>()
  const reply = useReply(fetcher.data ?? (page.reply?.form?.startsWith('voice-') ? page.reply : undefined))
  const saved = fetcher.data && !underWay(fetcher) ? VOICE_SAVED.get(String(reply?.done)) : undefined
  useSheetEnd(saved ?? null, page.sheetOver)
  const commandId = page.commandIds.voice
  return (
    <SheetFrame section="voice" title="Voice intro" page={page}>
      <p className="soft">Up to {VOICE_MAX_SECONDS} seconds in your own voice.</p>
      {voice ? (
        <fetcher.Form method="post" action={ACTION} className="row" preventScrollReset>
          <Owner />
          <VoicePlayer src={voice} label="Your voice intro" />
          <input type="hidden" name="commandId" value={commandId} />
          {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
          <Button name="intent" value="voice-delete" icon="trash-2">
            Delete
          </Button>
        </fetcher.Form>
      ) : null}
      <NewVoice replaces={voice !== null} commandId={commandId} fetcher={fetcher} reply={reply} />
    </SheetFrame>
  )
}

/** A file, for as long as there is no script that records. */
function PlainVoice({ commandId, fetcher, reply }: NewVoiceProps) {
  return (
    <fetcher.Form method="post" action={ACTION} encType="multipart/form-data" className="stack">
      <Owner />
      <input type="hidden" name="commandId" value={commandId} />
      <div className="upload-add">
        <UploadPick htmlFor="voice-file" icon="music">
          Choose a recording
        </UploadPick>
        <input id="voice-file" type="file" name="voice" accept={RECORDINGS} />
      </div>
      <Button name="intent" value="voice-save" tone="primary" wide>
        Save<span className="visually-hidden"> voice intro</span>
      </Button>
      <div role="alert">
        <FieldErrors id="voice-error" error={Object.values(reply?.fields ?? {})} />
      </div>
    </fetcher.Form>
  )
}
