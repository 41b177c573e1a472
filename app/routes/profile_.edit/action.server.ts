import type { ReceivedForm } from '../../../services/media/form.ts'
import type { Acting } from '../../../usecases/ports.ts'
import type { FormReply } from '../../forms/reply.ts'
import { saveSection } from '../../ui/profile/save-section.server.ts'
import { SECTIONS } from './sections.server.ts'
import { VOICE_INTENTS, voiceAction } from './voice.server.ts'

/** Saves the section that was sent, or the voice intro. */
export function editAction(acting: Acting, form: ReceivedForm): Promise<FormReply> {
  const intent = form.fields.get('intent')
  return VOICE_INTENTS.some((one) => one === intent)
    ? voiceAction(acting, form)
    : saveSection(acting, { form: form.fields, sections: SECTIONS, page: '/profile/edit' })
}
