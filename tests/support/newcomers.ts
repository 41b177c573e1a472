import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { World } from './world.ts'
import { PASSWORD } from './world-people.ts'

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

/** Uploaded by the visitor of this proof. */
export async function twoPhotos({ services }: World, proof: string): Promise<string[]> {
  const photos: string[] = []
  for (const background of ['#c84', '#48c']) {
    const file = await sharp({ create: { width: 60, height: 75, channels: 3, background } })
      .png()
      .toBuffer()
    const uploaded = await services.media.upload({ owner: { proof, network: proof }, purpose: 'photo', file })
    if (!uploaded.ok) throw new Error(uploaded.reason)
    photos.push(`/media/${uploaded.media.id}`)
  }
  return photos
}

/** The six digits of the newest mail to an address. */
export async function codeOf(world: World, email: string): Promise<string> {
  const mail = await world.mail(email)
  return /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? 'no code'
}
