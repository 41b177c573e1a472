import type pg from 'pg'

/** What the primary gives a worker; the rest it reads from the same environment and the same files. Plain JSON. */
export type WorkerSettings = {
  readonly port: number
  readonly publicUrl: string
  readonly database: pg.ClientConfig
  /** `esdb://…` */
  readonly log: string
}
export type WorkerReport = { readonly pid: number }

/** Of the primary's roles, by name: a worker asks for it, and has nothing of its own to add. */
export const STATES = 'states'
