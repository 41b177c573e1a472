import { render, sit } from '../../server/demo/drawing/pictures.ts'
import { END, field, file } from '../services/support/forms.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

const SITTER = { firstName: 'Bea', gender: 'Female', age: 30, heritage: 'anywhere', interests: [] } as const

/** Adds the drawing of this number to the member's gallery. */
export async function addPicture(world: World, member: Person, at: number): Promise<{ url: string; id: string }> {
  const parts = [field('purpose', 'photo'), file(await render(sit(at, SITTER).portrait())), END]
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const sent = { method: 'POST', as: member, headers, body: new Uint8Array(Buffer.concat(parts)) } as const
  const { url, id } = await (await world.api('/upload-media', sent)).json()
  const body = JSON.stringify({ fileUrl: url, type: 'image', caption: '' })
  await world.api('/upload-media', { method: 'POST', as: member, body })
  return { url, id }
}

/** The same as the member's face. */
export async function givePicture(world: World, member: Person, at: number): Promise<void> {
  const { url } = await addPicture(world, member, at)
  const answer = await world.api('/users/me', { method: 'PUT', as: member, body: JSON.stringify({ avatar: url }) })
  if (!answer.ok) throw new Error(`A picture was refused: ${await answer.text()}`)
}
