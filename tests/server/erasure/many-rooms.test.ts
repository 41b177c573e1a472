import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairIdOf } from '../../../domain/shared/ids.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { PIECE } from '../../../projections/engine/owed/owed.ts'
import { relations } from '../../../projections/relations/project.ts'
import { Peer } from '../../realtime/peer.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

const [NAME, WORDS] = ['Annabellina', 'the secret of Ann']
const TABLE = `p_conversations_v${conversations.version}.conversation`
const RELATION = `p_relations_v${relations.version}.relation`
let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** As if others had matched the member before. */
async function matchedBefore({ id }: Person, many: number): Promise<void> {
  const { pool } = world.core.storage
  await pool.query(
    `insert into ${RELATION} (member, other, matched_at, block_kept)
     select 'friend ' || n, $1, now(), false from generate_series(1, $2::int) n`,
    [id, many],
  )
  await pool.query(
    `insert into ${TABLE} (member, other, room, open, gone, opened_at, hidden_up_to, last_number, last_at, last_received,
       read_up_to, other_read_up_to, position)
     select 'friend ' || n, $1, 'room ' || n, true, false, now(), 0, 0, null, 0, 0, 0, '' from generate_series(1, $2::int) n`,
    [id, many],
  )
}
const roomOf = async (member: Person, other: Person) => {
  const asked = `select c.open, c.gone, r.matched_at is not null as matched from ${TABLE} c left join ${RELATION} r
    using (member, other) where c.member = $1 and c.other = $2`
  return (await world.core.storage.pool.query(asked, [member.id, other.id])).rows[0]
}

/** Everything that a former match is answered about the member, by pages, calls and a socket. */
async function seenBy(viewer: Person, of: Person) {
  const pages = ['/chat', `/chat/${of.id}`, `/viewprofile/${of.id}`, '/matches', '/notifications', '/discover']
  const calls = ['/social/matches', '/matches', '/notifications', '/chat/unread', `/users/${of.id}`, '/discover']
  const messages = `/chat/${of.id}/messages`
  const all = [
    ...pages.map((path) => world.page(path, { as: viewer })),
    ...[...calls, messages].map((path) => world.api(path, { as: viewer })),
  ]
  const answers = await Promise.all(all.map(async (one) => [(await one).status, await (await one).text()] as const))
  const { port } = world.config
  const socket = new Peer(port, { origin: `http://127.0.0.1:${port}` })
  await socket.opened
  socket.send({ type: 'auth', token: viewer.token })
  await socket.next('ready')
  socket.send({ type: 'joinRoom', id: 'join', data: { roomId: pairIdOf(viewer.id, of.id) } })
  await until('an answer', () => socket.frames.some(({ type }) => type === 'ack' || type === 'error'))
  const heard = JSON.stringify(socket.frames)
  socket.ws.terminate()
  const text = answers.map(([, body]) => body).join('\n') + heard
  return {
    statuses: [answers[1]![0], answers[2]![0], answers.at(-1)![0]],
    leaks: [NAME, WORDS].filter((one) => text.includes(one)),
    joined: heard.includes('"ack"'),
    text,
  }
}

test('a room that an erasure has yet to mark shows nothing of the erased member, and is marked in the end', async () => {
  const [ann, bea] = [await world.member(NAME), await world.member('Bea')]
  await matchedBefore(ann, PIECE)
  await world.match(ann, bea)
  await world.sendMessage(bea, ann, 'mine stays')
  await world.sendMessage(ann, bea, WORDS)
  await world.settled()
  expect(await seenBy(bea, ann)).toMatchObject({ leaks: [NAME, WORDS], joined: true, statuses: [200, 200, 200] })
  const holder = await world.core.storage.pool.connect()
  await holder.query('begin')
  for (const table of [TABLE, RELATION])
    await holder.query(`select from ${table} where member = $1 and other = $2 for update`, [bea.id, ann.id])
  try {
    expect((await world.api('/account/delete', { as: ann, method: 'DELETE' })).status).toBe(200)
    await until('the erasure shows', async () => (await world.api(`/users/${ann.id}`, { as: bea })).status === 404)
    expect(await roomOf(bea, ann)).toEqual({ open: true, gone: false, matched: true })
    expect(await seenBy(bea, ann)).toMatchObject({ leaks: [], joined: false, statuses: [404, 404, 404] })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  await until('the room is marked', async () => (await roomOf(bea, ann))?.gone, 20_000)
  const marked = await seenBy(bea, ann)
  expect(marked).toMatchObject({ leaks: [], joined: false, statuses: [200, 404, 200] })
  expect(marked.text).toContain('Deleted member')
  expect(marked.text).toContain('mine stays')
})
