import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { addPhotos, type PhotosTemplate, photosOf } from './templates/photos.ts'
import type { World } from './world.ts'

export const PASSWORD = 'violet-otter-43-lamp'

/** What a form of the wizard's first step may bring, but for the password. */
export const BASICS = {
  step: 'basics',
  firstName: 'Ada',
  lastName: 'Lovelace',
  gender: 'Female',
  dob: '1990-12-10',
  lookingFor: 'serious',
  interestedIn: ['male'],
} as const

/** A visitor with a verified address and two photos, and what they would send to register. */
export async function newcomer(world: World, given: { email?: string } = {}) {
  const email = given.email ?? `new.${randomUUID().slice(0, 8)}@example.com`
  const { proofs, credentials } = world.services
  const { token, id } = await proofs.issue({ email, emailKey: credentials.emailKey(email) })
  const photos = await twoPhotos(world, id)
  const payload = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    password: PASSWORD,
    gender: 'Female',
    dob: '1990-12-10',
    lookingFor: 'serious',
    interestedIn: ['male'],
    interests: ['Music'],
    photos,
  }
  return { email, signupToken: token, proof: id, payload }
}

/** Of the first visitor in this process; whoever comes meanwhile waits for it. */
let template: Promise<PhotosTemplate> | undefined

/** The visitor of this proof has uploaded them, or as if they had. */
export async function twoPhotos(world: World, proof: string): Promise<string[]> {
  if (template) return addPhotos(world, await template, proof).then(pathsOf)
  const uploading = upload(world, proof)
  template = uploading.then(() => photosOf(world, proof))
  template.catch(() => {
    template = undefined
  })
  return uploading.then(pathsOf)
}

const pathsOf = (ids: readonly string[]) => ids.map((id) => `/media/${id}`)

async function upload({ services }: World, proof: string): Promise<string[]> {
  const photos: string[] = []
  for (const background of ['#c84', '#48c']) {
    const file = await sharp({ create: { width: 60, height: 75, channels: 3, background } })
      .png()
      .toBuffer()
    const uploaded = await services.media.upload({ owner: { proof, network: proof }, purpose: 'photo', file })
    if (!uploaded.ok) throw new Error(uploaded.reason)
    photos.push(uploaded.media.id)
  }
  return photos
}

/** By its subject: news of another device may come after it. */
export const CODE_MAIL = /is your LetsBuzz code$/

/** The six digits of the newest mail with a code to an address. */
export async function codeOf(world: World, email: string): Promise<string> {
  const mail = await world.mail(email, CODE_MAIL)
  return /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? 'no code'
}
