import { type ChangeEvent, useCallback } from 'react'
import { VOICE_MAX_SECONDS } from '../../../domain/profile/limits.ts'
import { FieldErrors } from '../../forms/field.tsx'
import { useAnswered } from '../../forms/use-answered.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import { RECORDINGS } from '../../ui/media/accepted.ts'
import { UploadPick } from '../../ui/media/upload-pick.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { PhoneInput } from '../../ui/profile/fields.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { StepForm, type StepProps } from './step-form.tsx'
import { useUploads } from './use-uploads.ts'

/** The voice intro that is kept; `url` plays it. */
export type ShownVoice = { id: string; url: string }
type ContactProps = StepProps & { voice: ShownVoice | null }

function VoiceKept({ voice }: { voice: ShownVoice }) {
  return (
    <div className="row">
      {/* biome-ignore lint/a11y/useMediaCaption: a member's own short recording has no captions */}
      <audio controls src={voice.url} aria-label="Your voice intro" />
      <Button name="remove" value={voice.id} icon="trash-2">
        Delete
      </Button>
    </div>
  )
}

const Recording = onDemand(async () => (await import('./recording.tsx')).Recording)

function VoiceNew() {
  const hydrated = useHydrated()
  const { uploads, add, sending } = useUploads('voice')
  const record = useCallback((file: File) => void add([file]), [add])
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    void add([...(event.currentTarget.files ?? [])].slice(0, 1))
    event.currentTarget.value = ''
  }
  const last = uploads.at(-1)
  return (
    <>
      <Recording onRecorded={record} />
      <div className={classes('upload-add', hydrated && 'upload-add-live')}>
        <UploadPick htmlFor="voice-file" icon="music">
          {hydrated ? 'Or choose a recording' : 'Choose a recording'}
        </UploadPick>
        <input id="voice-file" type="file" name="voice" accept={RECORDINGS} {...(hydrated && { onChange: choose })} />
      </div>
      {sending && last ? <Progress label="Uploading" value={Math.round(last.share * 100)} /> : null}
      <FieldErrors id="voice-failed" error={last?.error} />
    </>
  )
}

export function StepContact({ form, voice }: ContactProps) {
  const { error, onChange } = useAnswered(form.error('voiceUrl'))
  return (
    <StepForm step="contact" form={form} multipart>
      <PhoneInput {...form.field('phone')} />
      <fieldset className="field" id="voiceUrl" tabIndex={-1} onChange={onChange}>
        <legend className="field-label">
          Voice intro <span className="field-optional">optional</span>
        </legend>
        <p className="field-help">Up to {VOICE_MAX_SECONDS} seconds in your own voice.</p>
        {voice ? <VoiceKept voice={voice} /> : <VoiceNew />}
        <FieldErrors id="voiceUrl-error" error={error} />
      </fieldset>
    </StepForm>
  )
}
