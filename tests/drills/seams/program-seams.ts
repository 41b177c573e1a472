import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { ledgerPathOf } from '../../../services/erased-ledger.ts'
import { layCluster } from '../../support/cluster.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { freePort } from '../program-child.ts'
import { type Caller, call, signUpMany } from '../program-people.ts'
import { adminDies, HookedProgram } from './hooked-program.ts'
import { judgeSeams, untilCertified } from './judge-seams.ts'

const ANSWER_MS = 60_000
const LEASE_MS = 90_000

/**
 * How many rounds of each kind; a round kills once at each of its kind's seams. `lateAlone`: of a command's, not before its append. `erase`: deaths of the one who erases;
 * `reactor`: of the product that resumes it.
 */
export type ProgramRounds = {
  commands: number
  lateAlone?: boolean
  media: number
  mail: number
  erase: number
  reactor: number
}
/**
 * `lost`, `doubled`: acknowledged commands. `left`: what an erasure or an upload left behind. `mailsTwice`: sent again
 * because the process died before it could note that they were sent.
 */
export type ProgramSeams = {
  kills: Record<string, number>
  lost: number
  doubled: number
  wrong: string[]
  left: string[]
  mailsMissing: number
  mailsTwice: number
}

type Acknowledged = {
  messages: string[]
  buzzes: string[]
  suspended: string[]
  erased: string[]
  kills: Record<string, number>
}
type Drill = { program: HookedProgram; dataDir: string; acknowledged: Acknowledged; spare: Caller[] }

/** Kills the running product at the seams of a command, an upload, a mail and an erasure. */
export async function programSeams(rounds: ProgramRounds): Promise<ProgramSeams> {
  const dataDir = makeTempDir('letsbuzz-drill-')
  await layCluster(join(dataDir, 'postgres'))
  const program = await HookedProgram.start({ dataDir, port: await freePort() })
  try {
    const needed = 2 + 2 * rounds.commands + MAIL.length * rounds.mail + rounds.erase + REACTOR.length * rounds.reactor
    const [a, b, ...spare] = (await signUpMany(program.url, needed)) as [Caller, Caller, ...Caller[]]
    const acknowledged: Acknowledged = { messages: [], buzzes: [], suspended: [], erased: [], kills: {} }
    const drill: Drill = { program, dataDir, acknowledged, spare }
    await match(program.url, a, b)
    for (let round = 0; round < rounds.mail; round++) await mailRound(drill)
    for (let round = 0; round < rounds.commands; round++) await commandRound(drill, a, b, rounds.lateAlone)
    for (let round = 0; round < rounds.media; round++) await mediaRound(drill, a)
    for (let death = 1; death <= rounds.erase; death++) await eraseOnce(drill, death)
    for (let round = 0; round < rounds.reactor; round++) await reactorRound(drill)
    await allMailsCame(drill)
    await untilCertified(dataDir, acknowledged.erased)
    return { kills: acknowledged.kills, ...(await judgeSeams(dataDir, acknowledged)) }
  } finally {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(ledgerPathOf(dataDir), { force: true })
  }
}

async function match(url: string, a: Caller, b: Caller): Promise<void> {
  for (const [from, to] of [[a, b] as const, [b, a] as const]) {
    const answer = await call(url, '/likes', { token: from.token, body: { to: to.id } })
    if (!answer.ok) throw new Error(`a buzz was refused: ${await answer.text()}`)
  }
}

function count({ kills }: Acknowledged, doing: string): void {
  kills[doing] = (kills[doing] ?? 0) + 1
}

/** Sent again, as it was, until it is acknowledged. */
async function untilDone(what: string, send: () => Promise<Response>): Promise<void> {
  await until(
    what,
    () =>
      send().then(
        ({ ok }) => ok,
        () => false,
      ),
    ANSWER_MS,
  )
}

const LOG_SEAMS = ['^before insert into log\\.event', '^after insert into log\\.event']
const MAIN_SEAMS = ['^before append pair-', '^after append pair-']
const KEEP_SEAM = '^before update .*idempotent_answer'

type Lines = readonly string[]
const late = (seams: Lines) => seams.filter((at) => at.startsWith('^after'))

async function commandRound({ program, acknowledged, spare }: Drill, a: Caller, b: Caller, lateAlone = false) {
  const message = () => {
    const id = randomUUID()
    const send = () => call(program.url, `/chat/${b.id}/messages`, { token: a.token, body: { id, text: `word ${id}` } })
    return { id, send }
  }
  const chosen = (seams: Lines) => (lateAlone ? late(seams) : seams)
  for (const at of chosen(LOG_SEAMS)) {
    const { id, send } = message()
    await program.logDiesAt(at, () => untilDone('the message is taken', send))
    acknowledged.messages.push(id)
    count(acknowledged, 'append in the log')
  }
  for (const at of chosen(MAIN_SEAMS)) {
    const { id, send } = message()
    await program.dieAt(at, send)
    await untilDone('the message is taken', send)
    acknowledged.messages.push(id)
    count(acknowledged, 'append and answer')
  }
  // The buzz is in the log, its answer is not kept: the same request finds itself half done, and adds nothing.
  const [from, to] = [spare.pop()!, spare.pop()!]
  const headers = {
    Authorization: `Bearer ${from.token}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': to.id,
  }
  const body = JSON.stringify({ to: to.id })
  const buzz = () => fetch(`${program.url}/api/likes`, { method: 'POST', headers, body })
  await program.dieAt(KEEP_SEAM, buzz)
  const isAnswered = async () => {
    const answer = await buzz()
    return answer.ok || /still running/.test(await answer.text())
  }
  await until('the repeat is answered', isAnswered, ANSWER_MS)
  acknowledged.buzzes.push(`${from.id} ${to.id}`)
  count(acknowledged, 'append and kept answer')
}

const MEDIA_SEAMS = [
  '^before rename .*/media/',
  '^after rename .*/media/',
  '^before begin ; .*insert into .*"media".* ; commit$',
  '^after begin ; .*insert into .*"media".* ; commit$',
]

async function mediaRound({ program, acknowledged }: Drill, { token }: Caller): Promise<void> {
  for (const at of MEDIA_SEAMS) {
    const send = () => call(program.url, '/upload-media-file', { token, body: picture() })
    await program.dieAt(at, send)
    await untilDone('the picture is taken', send)
    count(acknowledged, 'upload')
  }
}

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

function picture(): FormData {
  const form = new FormData()
  form.set('purpose', 'photo')
  form.set('file', new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' }), 'photo.png')
  return form
}

const MAIL = [
  '^before insert into .*mailbox',
  '^after insert into .*mailbox',
  '^before update app\\.reactor_effect set state',
]

async function mailRound({ program, dataDir, acknowledged, spare }: Drill): Promise<void> {
  for (const at of MAIL) {
    const { id } = spare.pop()!
    await program.dieAt(at, () => adminDies(dataDir, ['suspend', id, '--reason', `case ${id}`, '--yes']))
    acknowledged.suspended.push(id)
    count(acknowledged, 'mail')
  }
}

/** What a dead process had taken is another's only after its lease. */
async function allMailsCame({ program, acknowledged }: Drill): Promise<void> {
  if (acknowledged.suspended.length === 0) return
  await until(
    'every mail came',
    async () => {
      const texts = await suspensionMails(program.url)
      return acknowledged.suspended.every((id) => texts.some((text) => text.includes(`case ${id}`)))
    },
    LEASE_MS,
  ).catch(() => undefined)
}

export async function suspensionMails(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/dev/mailbox.json`)
  return ((await answer.json()) as { text: string }[]).map(({ text }) => text).filter((text) => text.includes('case '))
}

/** Dies at the n-th point behind the member's last event; the same call then completes it. */
async function eraseOnce({ dataDir, acknowledged, spare }: Drill, death: number): Promise<void> {
  const { id } = spare.pop() as { id: MemberId } & Caller
  const words = ['erase', id, '--yes']
  const seam = { since: '^before append member-[^:]*: AccountErased', at: '^(before|after) ', nth: death }
  if (!(await adminDies(dataDir, words, seam))) {
    count(acknowledged, 'erase')
    await adminDies(dataDir, words)
  }
  acknowledged.erased.push(id)
}

const ENDED = 'append member-[^:]*: AccountErased'
/** What the reactor does with an account that somebody ended and left so. */
const REACTOR = [
  '^before .*app\\.destroyed_key',
  '^after .*app\\.destroyed_key',
  '^before append email-',
  '^after append email-',
  '^before append member-[^:]*: ErasureCertified',
  '^after append member-[^:]*: ErasureCertified',
  '^before update app\\.reactor_effect set state',
]

async function reactorRound({ program, dataDir, acknowledged, spare }: Drill): Promise<void> {
  for (const at of REACTOR) {
    const { id } = spare.pop()!
    await program.dieAt(at, () => adminDies(dataDir, ['erase', id, '--yes'], { at: `^after ${ENDED}`, nth: 1 }))
    acknowledged.erased.push(id)
    count(acknowledged, "erasure's reactor")
  }
}
