import { rmSync } from 'node:fs'
import { freePort, type Program, startProgram } from '../drills/program-child.ts'
import { type Caller, call, signUpMany } from '../drills/program-people.ts'
import { makeTempDir } from '../support/temp-folder.ts'

const LISBON = { lat: 38.72, lng: -9.14 }

/** The product as `npm start` makes it, with members who signed up in one town; the first two are a match. */
export async function withMembers(
  count: number,
  work: (program: Program, members: readonly Caller[]) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await withDataDir(async (dataDir) => {
    const program = await startProgram({ dataDir, port: await freePort(), env })
    try {
      const members = await signUpMany(program.url, count)
      for (const { token } of members) await call(program.url, '/location', { token, body: LISBON })
      const [a, b] = members as [Caller, Caller]
      await call(program.url, '/likes', { token: a.token, body: { to: b.id } })
      await call(program.url, '/likes', { token: b.token, body: { to: a.id } })
      await work(program, members)
    } finally {
      await program.stop()
    }
  })
}

export async function withDataDir(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = makeTempDir('letsbuzz-bench-')
  await work(dataDir).finally(() => rmSync(dataDir, { recursive: true, force: true }))
}
