import type { Asked } from '../network.ts'
import { abandonedPages, emptyConnections, halfClosed, pipelined, slowBody, slowHeader } from './connections.ts'
import { clipBombs, type Hostile, imageBombs } from './files.ts'
import { largeFiles } from './large-files.ts'
import { deepJson, forms, manyNames, smallForms, smallPieces } from './requests.ts'
import { controlFrames, oversizedFrames, resumeStorm, socketFlood, socketMessages } from './sockets.ts'
import type { Attack, Target } from './target.ts'
import { fifty, formsOf, uploads } from './uploads.ts'

/** A way to attack. */
export type Way = {
  /** Makes what it needs before its time begins; the attack goes on until it is stopped. */
  readonly begin: () => Attack | Promise<Attack>
  /** What its requests are counted as that met what is attacked, and how many these are at least in twenty seconds of it alone. */
  readonly reaches: string
  readonly least: number
  /** Whether it needs attackers with sessions. */
  readonly signedIn?: true
  /** Whether some of these are matched with each other. */
  readonly matched?: true
}

const WORKERS = 8
const NETWORKS = 20
const way = (attack: Attack, reaches: string, least: number): Way => ({ begin: () => attack, reaches, least })
const member = (attack: Attack, reaches: string, least: number): Way => ({
  ...way(attack, reaches, least),
  signedIn: true,
})

const match = (attack: Attack, reaches: string, least: number): Way => ({
  ...member(attack, reaches, least),
  matched: true,
})

type Sending = (target: Target, forms: readonly Asked[]) => Promise<void>
const filing = (make: () => Hostile[] | Promise<Hostile[]>, send: Sending, reaches: string, least: number): Way => ({
  async begin() {
    const forms = formsOf(await make())
    return (target) => send(target, forms)
  },
  reaches,
  least,
  signedIn: true,
})
const atOnce =
  (count: number): Sending =>
  (target, forms) =>
    uploads(target, forms, count)

const allBombs = async () => Object.values(await clipBombs())

export const SMALL_FORMS = 'small-forms'
export const FIFTY_CLIPS = 'fifty-clips'
export const UPLOADS = 'uploads'

/** By name. */
export const ATTACKS: Readonly<Record<string, Way>> = {
  'clip-bombs': filing(allBombs, atOnce(WORKERS), 'parsed', 20),
  'image-bombs': filing(imageBombs, atOnce(WORKERS), 'decoded', 20),
  [UPLOADS]: filing(largeFiles, atOnce(NETWORKS), 'parsed', 5),
  forms: way(forms, 'read', 20),
  [SMALL_FORMS]: way(smallForms, 'read', 500),
  'slow-header': way(slowHeader, 'dripping', 300),
  'slow-body': way(slowBody, 'dripping', 100),
  'half-closed': way(halfClosed, 'answered or closed', 100),
  'socket-flood': way(socketFlood, 'open', 100),
  'oversized-frames': way(oversizedFrames, 'closed', 100),
  'deep-json': member(deepJson, 'read', 60),
  'resume-storm': match(resumeStorm, 'replayed', 20),
  'socket-messages': match(socketMessages, 'stored', 40),
  'small-pieces': way(smallPieces, 'read', 20),
  'control-frames': way(controlFrames, 'closed', 50),
  'many-names': member(manyNames, 'read', 40),
  'abandoned-pages': way(abandonedPages, 'begun', 100),
  'empty-connections': way(emptyConnections, 'open', 1_000),
  pipelined: way(pipelined, 'closed', 100),
}

export const KINDS: Readonly<Record<string, Way>> = {
  ...ATTACKS,
  [FIFTY_CLIPS]: filing(allBombs, fifty, 'parsed', 50),
}
