const SECOND = 1
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `memory`: counted in memory: by the process, its primary for all workers, or one process for others. */
export type Window = { readonly points: number; readonly seconds: number; readonly memory?: true }
/**
 * `memory`: all windows are counted there, for what comes with every request. `resets`: it may begin anew for a key, so that
 * no process remembers who is far over it.
 */
export type Rate = { readonly windows: readonly [Window, ...Window[]]; readonly memory?: true; readonly resets?: true }

const per = (seconds: number, points: number): Window => ({ points, seconds })
/** A window of seconds, in front of a longer one in the database: it costs no question, and a restart forgives little. */
const inMemory = (seconds: number, points: number): Window => ({ points, seconds, memory: true })

/** What may be done how often (api-contract §6.2, §6.8 and N12); windows from short to long. */
export const RATES = {
  IP: { windows: [per(MINUTE, 600)], memory: true },
  ANONYMOUS: { windows: [per(MINUTE, 120)], memory: true },
  /** Files of one network: a page shows many, and a household shares it. */
  MEDIA: { windows: [per(MINUTE, 3_000)], memory: true },
  /** Sockets that one network begins: a household comes back at once when a process restarts. */
  SOCKET: { windows: [per(MINUTE, 600)], memory: true },
  /** Reports of what a browser blocked. */
  CSP_REPORT: { windows: [per(MINUTE, 60)], memory: true },
  LOGIN_IP: { windows: [per(15 * MINUTE, 30)] },
  /** Sessions that sign-ins of one account open, each of which leaves notes in its history: far more than anybody wants. */
  SIGN_IN: { windows: [per(HOUR, 60), per(DAY, 300)], resets: true },
  /** New passwords: in the wizard of one network and of one proof, by what a mail holds of one account. */
  HASH: { windows: [per(15 * MINUTE, 30)] },
  /** Sign-ins of one account from browsers that it was not used in before, of which its owner hears. */
  NEW_DEVICE: { windows: [per(HOUR, 5), per(DAY, 10)] },
  SEND: { windows: [per(MINUTE, 1), per(HOUR, 5), per(DAY, 10)] },
  SEND_IP: { windows: [per(HOUR, 20)] },
  READ: { windows: [per(MINUTE, 300)], memory: true },
  DISCOVER: { windows: [per(MINUTE, 30)], memory: true },
  /** The page of Discover, which without script deals after each swipe: more than all swipes that LIKE and WRITE allow. */
  DECK: { windows: [per(MINUTE, 120)], memory: true },
  NEARBY: { windows: [per(MINUTE, 20)], memory: true },
  VIEW: { windows: [per(HOUR, 200)] },
  /** Sessions that are ended from one of them: what others of the account do leaves its owner a way to end them. */
  SESSIONS: { windows: [per(MINUTE, 30)] },
  WRITE: { windows: [per(MINUTE, 60)] },
  /** Beside WRITE: each stays in the history of two, and so does one that is taken back, which needs one (decision 0062). */
  SKIP: { windows: [per(DAY, 2_000)] },
  /** Changes of a profile and its gallery: each folds all those before it. What only hides is not counted. */
  EDIT: { windows: [per(DAY, 300)] },
  LIKE: { windows: [per(MINUTE, 30), per(DAY, 300)] },
  BUZZ: { windows: [per(MINUTE, 30)] },
  /** By the day for what each leaves on the disk (decision 0061). */
  MSG: { windows: [inMemory(5 * SECOND, 10), per(MINUTE, 60), per(DAY, 3_000)] },
  /** Messages beyond MSG of which it is looked up whether they are repeats, which are answered. */
  REPEAT: { windows: [per(5 * SECOND, 10), per(MINUTE, 60)], memory: true },
  POST: { windows: [per(HOUR, 20)] },
  COMMENT: { windows: [per(MINUTE, 20)] },
  REACTION: { windows: [per(MINUTE, 120)] },
  UPLOAD: { windows: [per(HOUR, 40)] },
  REPORT: { windows: [per(DAY, 20)] },
  BLOCK: { windows: [per(DAY, 100)] },
  AI: { windows: [per(HOUR, 20)] },
  KYC: { windows: [per(DAY, 5)] },
  CRIT: { windows: [per(HOUR, 5)] },
  EXPORT: { windows: [per(DAY, 1)] },
  /** Locations where none is kept: the first, and one after each that was forgotten, of which no speed is known. */
  ANEW: { windows: [per(DAY, 3)] },
  MEETUP: { windows: [per(HOUR, 20)] },
  NOTICE: { windows: [per(HOUR, 5)] },
} as const satisfies Record<string, Rate>

export type RateClass = keyof typeof RATES
