import { afterAll, expect, test } from 'vitest'
import { galleryDecider } from '../../../domain/profile/gallery.ts'
import { LEASE_MS } from '../../../services/proof-leases.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { findProof, memberOfProof, type VisitorProof } from '../../../usecases/register/proof.ts'
import { removeUpload } from '../../../usecases/register/remove-upload.ts'
import { uploadsOf } from '../../../usecases/register/uploads.ts'
import { newcomer, twoPhotos } from '../../support/newcomers.ts'
import { dying, interruptedAt, STEPS, startRegistering, stepwise, type Visitor } from './stepwise.ts'

const HOUR = 3_600_000
const { world, people, pass } = await startRegistering()
afterAll(() => world.stop())

const HANDED_OVER = STEPS.indexOf('restore a block')
/** The address has its id from the attempt before, which is a step less. */
const KNOWN = 1
/** Nobody blocked this one, so that there is a step less before it. */
const FILLED = STEPS.indexOf('fill the gallery')
const idOf = (address: string | undefined) => address?.replace('/media/', '') ?? ''
const proofOf = async ({ signupToken }: Visitor): Promise<VisitorProof> =>
  (await findProof(world.context, signupToken))!
const shown = async (visitor: Visitor) =>
  (await uploadsOf(world.context, await proofOf(visitor))).map(({ id }) => `/media/${id}`)
const galleryOf = async ({ proof }: Visitor) => {
  const events = await world.core.log.read(`gallery-${memberOfProof({ id: proof })}`)
  return events.filter(({ type }) => type === 'MediaAdded').length
}
const isKept = async (address: string | undefined) => (await world.services.media.find(idOf(address))) !== null

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** Its visitor's registration comes between looking at an upload and removing it. */
function beaten(visitor: Visitor): Ports {
  const { media } = world.context
  const remove: typeof media.remove = async (...given) => {
    await people.send(world.context, visitor)
    return media.remove(...given)
  }
  return { ...world.context, media: { ...media, remove } }
}

test('an upload that becomes a photo of the new member is not removed by its visitor', async () => {
  const visitor = await newcomer(world)
  const [first] = visitor.payload.photos
  await removeUpload(beaten(visitor), await proofOf(visitor), idOf(first))
  expect([await galleryOf(visitor), await isKept(first)]).toEqual([2, true])
})

test('an upload that was handed over is not removed while a registration is at work, nor from a gallery', async () => {
  const visitor = await newcomer(world)
  const [first, second] = visitor.payload.photos
  const proof = await proofOf(visitor)
  const removing = stepwise(world.context, async (step) => {
    if (step === FILLED - 1) await removeUpload(world.context, proof, idOf(first))
    if (step === FILLED) throw new Error('killed')
  })
  await expect(people.send(removing, visitor)).rejects.toThrow('killed')
  expect([await galleryOf(visitor), await isKept(first)]).toEqual([2, true])
  await removeUpload(world.context, proof, idOf(second))
  expect(await isKept(second)).toBe(true)
  expect(await people.send(world.context, visitor)).toMatchObject({ ok: true })
})

/** An attempt that stands before it fills the gallery, for longer than its lease. */
async function slowAttempt(visitor: Visitor) {
  const [reached, go] = [gate(), gate()]
  const slow = stepwise(world.context, async (step) => {
    if (step !== FILLED - 1) return
    reached.open()
    await go.opened
  })
  const done = people.send(slow, visitor).catch(() => undefined)
  await reached.opened
  pass(LEASE_MS + 1_000)
  return {
    async land() {
      go.open()
      await done
    },
  }
}
type Slow = Awaited<ReturnType<typeof slowAttempt>>
type Other = { readonly visitor: Visitor; readonly slow: Slow }

/** The visitor again, with other photos. */
const withOthers = async (visitor: Visitor): Promise<Visitor> => ({
  ...visitor,
  payload: { ...visitor.payload, photos: await twoPhotos(world, visitor.proof) },
})
const removeFirst = async (visitor: Visitor) =>
  removeUpload(world.context, await proofOf(visitor), idOf(visitor.payload.photos[0]))

/** Another attempt, which the slow one overtakes before its own fill. */
async function registerOvertaken({ visitor, slow }: Other): Promise<void> {
  const overtaken = stepwise(world.context, async (step) => {
    if (step === FILLED - 1 - KNOWN) await slow.land()
  })
  expect(await people.send(overtaken, await withOthers(visitor))).toMatchObject({ ok: true })
}

async function dieAfterHandOver({ visitor, slow }: Other): Promise<void> {
  const dead = people.send(dying(world.context, HANDED_OVER - KNOWN), await withOthers(visitor))
  await expect(dead).rejects.toThrow('killed')
  await slow.land()
}

const OVERTAKEN: Record<string, (other: Other) => Promise<unknown>> = {
  'another one chose others': registerOvertaken,
  'another one dies and the visitor signs in': async (other) => {
    await dieAfterHandOver(other)
    expect(await people.signIn(other.visitor)).toBe(true)
  },
  'another one dies and the sweep ends the proof': async (other) => {
    await dieAfterHandOver(other)
    pass(3 * HOUR)
    await people.sweep()
  },
  'its visitor removed one of them and chose others': async (other) => {
    await removeFirst(other.visitor)
    await registerOvertaken(other)
  },
  'its visitor removed one of them and signs in': async (other) => {
    await removeFirst(other.visitor)
    await other.slow.land()
    expect(await people.signIn(other.visitor)).toBe(true)
  },
}

test.each(Object.entries(OVERTAKEN))(
  'what a slow attempt put into the gallery has its files, though %s',
  async (how, then) => {
    const visitor = await newcomer(world)
    await then({ visitor, slow: await slowAttempt(visitor) })
    pass(25 * HOUR)
    await people.sweep()
    expect(await people.signIn(visitor)).toBe(true)
    const gallery = await world.context.loadState(galleryDecider, memberOfProof({ id: visitor.proof }))
    const items = gallery.items.map(({ media }) => `/media/${media}`)
    const [, second] = visitor.payload.photos
    expect(items).toEqual(how.includes('removed') ? [second] : visitor.payload.photos)
    expect(items).toContain(`/media/${gallery.avatar}`)
    expect(await Promise.all(items.map(isKept))).toEqual(items.map(() => true))
  },
)

test('an upload that a slow attempt names and a visitor confirms while it is removed is not in the gallery', async () => {
  const visitor = await newcomer(world)
  const slow = await slowAttempt(visitor)
  const { media } = world.context
  const remove: typeof media.remove = async (id, owner) => {
    if ('proof' in owner) return media.remove(id, owner)
    await slow.land()
    expect(await people.signIn(visitor)).toBe(true)
    return media.remove(id, owner)
  }
  const [first, second] = visitor.payload.photos
  await removeUpload({ ...world.context, media: { ...media, remove } }, await proofOf(visitor), idOf(first))
  const { items, avatar } = await world.context.loadState(galleryDecider, memberOfProof({ id: visitor.proof }))
  expect([items.map(({ media }) => media), avatar]).toEqual([[idOf(second)], idOf(second)])
})

test('a registration is refused once no photo of its gallery is there, and makes no account', async () => {
  const visitor = await newcomer(world)
  const slow = await slowAttempt(visitor)
  const proof = await proofOf(visitor)
  for (const photo of visitor.payload.photos) await removeUpload(world.context, proof, idOf(photo))
  await slow.land()
  expect(await people.signIn(visitor)).toBe(false)
  expect(await people.send(world.context, await withOthers(visitor))).toEqual({ ok: false, reason: 'invalid-media' })
  pass(3 * HOUR)
  await people.sweep()
  pass(LEASE_MS)
  await people.sweep()
  expect([await people.accountsOf(visitor), await people.rowsOf(visitor)]).toEqual([0, 0])
})

test('an interrupted registration shows the uploads it handed over, and its visitor may remove them', async () => {
  const visitor = await interruptedAt(world, HANDED_OVER, await newcomer(world))
  const [first = '', second = ''] = visitor.payload.photos
  const more = await twoPhotos(world, visitor.proof)
  expect(await shown(visitor)).toEqual([first, second, ...more])
  await removeUpload(world.context, await proofOf(await newcomer(world)), idOf(second))
  expect(await isKept(second)).toBe(true)
  await removeUpload(world.context, await proofOf(visitor), idOf(second))
  expect([await isKept(second), await shown(visitor)]).toEqual([false, [first, ...more]])
})

test('a registration is resumed with old and new uploads, and the sweep takes what it leaves out', async () => {
  const visitor = await interruptedAt(world, HANDED_OVER, await newcomer(world))
  const [first = '', leftOut = ''] = visitor.payload.photos
  const photos = [first, ...(await twoPhotos(world, visitor.proof))]
  const again = { ...visitor, payload: { ...visitor.payload, photos } }
  expect(await people.send(world.context, again)).toMatchObject({ ok: true })
  expect(await galleryOf(visitor)).toBe(3)
  pass(25 * HOUR)
  await people.sweep()
  expect(await Promise.all([...photos, leftOut].map(isKept))).toEqual([true, true, true, false])
})

test('a registration whose gallery is filled is resumed with that gallery, whatever is sent', async () => {
  const visitor = await interruptedAt(world, FILLED, await newcomer(world))
  const photos = await twoPhotos(world, visitor.proof)
  const again = { ...visitor, payload: { ...visitor.payload, photos } }
  expect(await people.send(world.context, again)).toMatchObject({ ok: true })
  pass(25 * HOUR)
  await people.sweep()
  expect(await galleryOf(visitor)).toBe(2)
  expect(await Promise.all([...visitor.payload.photos, ...photos].map(isKept))).toEqual([true, true, false, false])
})
