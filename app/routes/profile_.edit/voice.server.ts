import { z } from 'zod'
import { MediaId } from '../../../domain/shared/ids.ts'
import type { ReceivedForm } from '../../../services/media/form.ts'
import { done } from '../../../usecases/outcome.ts'
import type { Acting } from '../../../usecases/ports.ts'
import type { GalleryReason } from '../../../usecases/profile/gallery.ts'
import { setVoiceIntro } from '../../../usecases/profile/set-voice-intro.ts'
import { doneReply, readForm, refusedReply, replyWith } from '../../forms/form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import { filesOf, type TakenFile, takeFile } from '../../ui/media/take-file.server.ts'
import { GALLERY_WORDS } from '../../words/gallery-words.ts'
import type { WordTable } from '../../words/words.ts'

export const VOICE_INTENTS = ['voice-save', 'voice-delete'] as const
/** A recording that the page has sent already, by its id; the plain form brings its file along. */
const VoiceForm = z.object({ intent: z.enum(VOICE_INTENTS), media: MediaId.optional(), commandId: CommandId })

const NOTHING = 'Record something first.'
const WORDS: WordTable<GalleryReason> = {
  ...GALLERY_WORDS,
  'invalid-media': { status: 400, error: 'Voice upload failed' },
}

/** Saves the recording that was sent, or takes the intro away (spec 2 §4). */
export async function voiceAction(acting: Acting, received: ReceivedForm): Promise<FormReply> {
  const form = received.fields
  const sent = readForm(form, VoiceForm, { media: NOTHING })
  if (!sent.ok) return sent.reply
  const { intent, commandId } = sent.value
  const recording = await recordingOf(acting, received, sent.value)
  if (!recording.ok) return replyWith(form, recording.status, { '': recording.error })
  const outcome = await setVoiceIntro(acting, { media: recording.value, commandId })
  if (!outcome.ok) return refusedReply(form, WORDS, outcome)
  const saved = intent === 'voice-delete' ? 'voice-gone' : 'voice'
  return doneReply(form, saved, `/profile/edit?saved=${saved}#voice`)
}

/** What becomes the intro; null for none. */
async function recordingOf(
  acting: Acting,
  received: ReceivedForm,
  { intent, media }: z.output<typeof VoiceForm>,
): Promise<TakenFile<MediaId | null>> {
  if (intent === 'voice-delete') return done(null)
  if (media) return done(media)
  const [file] = filesOf(received, 'voice')
  return file ? takeFile(acting, { file, purpose: 'voice' }) : { ok: false, status: 400, error: NOTHING }
}
