import type { Table } from '../table.ts'

/** The state of an account; an erased one has no row. */
export type AccountRow = {
  member: string
  status: 'active' | 'deactivated' | 'suspended'
  /** The wizard is finished: without it the account is onboarding (ruling R13). */
  started: boolean
  /** A synthetic member of the demo world. */
  demo: boolean
  registered_at: Date
}

export const account: Table<AccountRow> = {
  name: 'account',
  columns: {
    member: 'text collate "C" not null',
    status: 'text not null',
    started: 'boolean not null',
    demo: 'boolean not null',
    registered_at: 'timestamptz not null',
  },
  key: ['member'],
}
