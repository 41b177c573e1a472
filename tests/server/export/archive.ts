import { fromBuffer } from 'yauzl'
import { until } from '../../support/until.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

/** The files of a zip by their path. */
export function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    const files = new Map<string, Buffer>()
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      zip.on('error', reject)
      zip.on('end', () => resolve(files))
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, (failed, stream) => {
          if (failed) return reject(failed)
          const chunks: Buffer[] = []
          stream.on('data', (chunk: Buffer) => chunks.push(chunk))
          stream.on('error', reject)
          stream.on('end', () => {
            files.set(entry.fileName, Buffer.concat(chunks))
            zip.readEntry()
          })
        }),
      )
      zip.readEntry()
    })
  })
}

type Asked = { id: string; state: string; url?: string; done: number; total: number }

export async function ask(world: World, as: Person, body: object = {}): Promise<{ status: number; json: Asked }> {
  const response = await world.api('/account/export', { as, method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, json: (await response.json()) as Asked }
}

export async function look(world: World, as: Person, id: string): Promise<{ status: number; json: Asked }> {
  const response = await world.api(`/account/export/${id}`, { as })
  return { status: response.status, json: (await response.json()) as Asked }
}

export const download = (world: World, as: Person, id: string) => world.page(`/account/export/${id}`, { as })

/** Asks, waits and fetches. */
export async function exported(world: World, as: Person): Promise<{ id: string; files: Map<string, Buffer> }> {
  const { json } = await ask(world, as)
  const find = () => world.services.exports.find(as.id, json.id)
  await until('the export is ready', async () => (await find())?.state === 'ready', 30_000)
  const response = await download(world, as, json.id)
  return { id: json.id, files: await unzip(Buffer.from(await response.arrayBuffer())) }
}
