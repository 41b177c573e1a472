import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { DRAFT_CAPS, DraftRoom, type Sender } from '../../services/media/draft-room.ts'
import { createDrafts } from '../../services/media/drafts.ts'
import { randomId } from '../../services/random-id.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { appDatabase } from './support/app.ts'
import { begun, draftsIn, END, FREELY, field, file, sent, streamed } from './support/forms.ts'
import { mediaIn, workers } from './support/media.ts'
import { jpeg } from './support/pictures.ts'

const app = appDatabase()
const KIB = 1024
const CAPS = { holder: 100 * KIB, network: 150 * KIB, total: 200 * KIB }
const BUSY = { ok: false, reason: 'busy' }

const start = () => mediaIn(tempDir(), app, workers, new DraftRoom(CAPS))
type Store = ReturnType<typeof start>
type Media = Store['media']

const from = (holder: string, network: string): Sender => ({ holder, network, isVisitor: false })
const receive = (media: Media, sender: Sender, request: Request) =>
  media.receive(request, { member: randomId() as MemberId }, { sender })

function gate(): { open: () => void; opened: Promise<void> } {
  const made: { open?: () => void } = {}
  const opened = new Promise<void>((resolve) => {
    made.open = resolve
  })
  return { opened, open: () => made.open?.() }
}

/** Sends a picture of so many bytes but for its end, which waits for `go`. All of them are in the draft by then. */
async function underWay({ media, root }: Store, sender: Sender, bytes: number) {
  const end = gate()
  const parts = [randomBytes(bytes - 8 * KIB), END]
  const { request } = streamed(begun((await jpeg(800, 600)).subarray(0, 8 * KIB)), async () => {
    if (parts.length === 1) await end.opened
    return parts.shift() ?? null
  })
  const drafts = () => draftsIn(root).filter((size) => size > bytes - KIB).length
  const before = drafts()
  const answer = receive(media, sender, request)
  await Promise.race([until('its bytes', () => drafts() > before), answer])
  return { answer, go: end.open }
}

for (const [whose, first, second, other] of [
  ['its sender', from('ann', 'a'), from('ann', 'b'), from('bea', 'b')],
  ['its network', from('ann', 'a'), from('bea', 'a'), from('cid', 'b')],
] as const) {
  test(`what is on its way counts for ${whose}, until it ends, and stands in nobody else’s way`, async () => {
    const store = start()
    const { media, root } = store
    const photo = await jpeg()
    const big = await underWay(store, first, 95 * KIB)
    const small = async (sender: Sender) =>
      receive(media, sender, sent(file(Buffer.concat([photo, randomBytes(60 * KIB)])), END))
    expect(await small(second)).toEqual(BUSY)
    expect(await small(other)).toMatchObject({ ok: true })
    big.go()
    expect(await big.answer).toMatchObject({ ok: false, reason: 'upload-failed' })
    expect(await small(second)).toMatchObject({ ok: true })
    expect(draftsIn(root)).toEqual([])
  })
}

test('all together take no more than there is', async () => {
  const store = start()
  const { media } = store
  const bigs = [await underWay(store, from('m1', 'n1'), 95 * KIB), await underWay(store, from('m2', 'n2'), 95 * KIB)]
  const photo = Buffer.concat([await jpeg(), randomBytes(20 * KIB)])
  expect(await receive(media, from('ann', 'a'), sent(file(photo), END))).toEqual(BUSY)
  for (const { go, answer } of bigs) {
    go()
    await answer
  }
  expect(await receive(media, from('ann', 'a'), sent(file(photo), END))).toMatchObject({ ok: true })
})

test('a form of a page keeps its text where there is no room for its files', async () => {
  const { media } = start()
  const large = file(Buffer.concat([await jpeg(), randomBytes(120 * KIB)]), 'photo')
  const purposes = { photo: 'photo' } as const
  const request = sent(large, field('note', 'kept'), END)
  await media.withForm(request, { purposes, sender: from('ann', 'a'), uploads: FREELY }, async (form) => {
    if (!form.ok) throw new Error(form.reason)
    expect(form.fields.get('note')).toBe('kept')
    expect(form.files.get('photo')).toEqual([{ ...BUSY, fileName: 'a' }])
  })
})

test('visitors have a quarter of a network and of all, however many proofs they have; the rest is the members’', () => {
  const room = new DraftRoom()
  const piece = 16 * KIB * KIB
  const fill = (network: string, pieces: number) => {
    const taken = []
    for (let n = 0; n < pieces; n++)
      taken.push(room.enter({ holder: `proof ${n}`, network, isVisitor: true }).take(piece))
    return taken.filter((isTaken) => isTaken).length
  }
  expect(fill('an office', 16) * piece).toBe(DRAFT_CAPS.network / 4)
  for (let n = 0; n < 32; n++) fill(`network ${n}`, 16)
  expect(fill('the last', 1)).toBe(0)
  expect(room.enter(from('ann', 'an office')).take(DRAFT_CAPS.holder)).toBe(true)
  expect(room.enter(from('bea', 'elsewhere')).take(DRAFT_CAPS.holder)).toBe(true)
})

test('what a draft took is given back also where it cannot be removed', async () => {
  const folder = tempDir()
  const room = new DraftRoom(CAPS)
  const drafts = createDrafts(folder, { own: 'own', isLeft: () => false }, room)
  const stuck = drafts.withDrafts(
    async (newDraft) => {
      expect((await newDraft()).take?.(CAPS.holder)).toBe(true)
      // A file instead of the folder: the draft below it cannot even be looked for.
      rmSync(join(folder, 'own'), { recursive: true })
      writeFileSync(join(folder, 'own'), '')
    },
    from('ann', 'a'),
  )
  await expect(stuck).rejects.toThrow('ENOTDIR')
  expect(room.enter(from('ann', 'a')).take(CAPS.holder)).toBe(true)
})
