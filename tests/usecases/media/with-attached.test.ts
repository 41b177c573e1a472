import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaId, MessageId } from '../../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../../domain/shared/media.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { sendMessage } from '../../../usecases/chat/send-message.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { addMedia } from '../../../usecases/profile/add-media.ts'
import { setVoiceIntro } from '../../../usecases/profile/set-voice-intro.ts'
import { makeClip } from '../../services/support/clips.ts'
import { jpeg } from '../../services/support/pictures.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
let bea: Person
beforeAll(async () => {
  world = await startWorld({ web: false })
  ;[ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
})
afterAll(() => world.stop())

const COMMANDS: Record<
  string,
  { purpose: MediaPurpose; act: (acting: Acting, media: MediaId) => Promise<{ ok: boolean }> }
> = {
  'added to the gallery': {
    purpose: 'photo',
    act: (acting, media) => addMedia(acting, { media, commandId: world.newCommand() }),
  },
  'set as voice intro': {
    purpose: 'voice',
    act: (acting, media) => setVoiceIntro(acting, { media, commandId: world.newCommand() }),
  },
  'sent to a match': {
    purpose: 'chat',
    act: (acting, media) => sendMessage(acting, { to: bea.id, id: world.newCommand() as MessageId, text: '', media }),
  },
}

test.each(Object.entries(COMMANDS))(
  'a file %s stays one, also where another command for it is refused',
  async (_, given) => {
    const acting = actingAs(world.context, ann.id)
    const refusing: Acting = { ...acting, dispatch: async () => ({ ok: false, reason: 'conflict' }) }
    const sent = given.purpose === 'voice' ? await makeClip({ format: 'ogg', seconds: 1 }) : await jpeg()
    const upload = await acting.media.upload({ owner: { member: ann.id }, purpose: given.purpose, file: sent })
    if (!upload.ok) throw new Error(upload.reason)
    const { id } = upload.media
    const attached = async () => {
      const { rows } = await world.core.storage.pool.query('select attached_at from app.media where id = $1', [id])
      return rows[0].attached_at !== null
    }
    expect(await attached()).toBe(false)
    let done: { ok: boolean } | undefined
    const overtaken: Acting = {
      ...refusing,
      dispatch: async () => {
        done ??= await given.act(acting, id)
        return { ok: false, reason: 'conflict' }
      },
    }
    expect(await given.act(overtaken, id)).toEqual({ ok: false, reason: 'conflict' })
    expect([done?.ok, await attached()]).toEqual([true, true])
  },
)
