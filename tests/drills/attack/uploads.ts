import { setTimeout as pause } from 'node:timers/promises'
import { type Asked, formOf } from '../network.ts'
import type { Hostile } from './files.ts'
import { send } from './requests.ts'
import type { Target } from './target.ts'

const PATH = '/api/upload-media-file'
const BUSY = 503
const BUSY_MS = 250
const TRIES = 10

export const formsOf = (files: readonly Hostile[]) =>
  files.map(({ bytes, type }) => formOf({ purpose: 'chat' }, bytes, type))

/** Answered by what is in the file: the limits on files and their sizes have other answers (`UPLOAD_WORDS`). */
const isParsed = (status: number) => status === 200 || status === 400

/** One file of one attacker, from their own network. */
function sendFile(target: Target, at: number, form: Asked): Promise<number | null> {
  const { addresses, tokens } = target
  const from = { address: addresses[at % addresses.length]!, token: tokens[at % tokens.length]! }
  return send(target, PATH, from, form, isParsed)
}

/** File after file, so many at once, by one attacker after the other. */
export async function uploads(target: Target, forms: readonly Asked[], atOnce: number): Promise<void> {
  let turn = 0
  const lane = async () => {
    while (!target.stopped()) {
      const at = turn++
      await sendFile(target, at, forms[at % forms.length]!)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** Fifty at once, each until it was looked at, and no more: what they cost others. */
export async function fifty(target: Target, forms: readonly Asked[]): Promise<void> {
  const untilParsed = async (at: number) => {
    for (let tries = 0; tries < TRIES; tries++) {
      if ((await sendFile(target, at, forms[at % forms.length]!)) !== BUSY) return
      await pause(BUSY_MS)
    }
  }
  await Promise.all(Array.from({ length: 50 }, (_, at) => untilParsed(at)))
  while (!target.stopped()) await pause(100)
}
