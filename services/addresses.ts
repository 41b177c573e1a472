import type { AddressId } from '../domain/shared/ids.ts'
import type { AppDb } from './app-db.ts'
import { isLeased, type ProofLease } from './proof-leases.ts'

/** An address that has an id, by its keyed hash. */
export type KnownAddress = { readonly emailKey: string; readonly id: AddressId }

/**
 * Which id an e-mail address has: the only place that leads from the keyed hash of an address to what the log has of it
 * (decision 0023).
 */
export type Addresses = {
  find(emailKey: string): Promise<AddressId | null>
  /**
   * Gives an address this id, unless it has one; answers the one it has. Of any number at once one decides for all. `under`:
   * of the registration that wants it; null when that has lost its lease.
   */
  give(address: KnownAddress & { readonly under?: ProofLease }): Promise<AddressId | null>
  /** Only once the log has released the id. Another id of the same address stays. */
  remove(id: AddressId): Promise<void>
  /** The ids of addresses that no credential is of. */
  listWithoutCredential(): Promise<AddressId[]>
  /** Whether a credential or a sign-up proof is of the address. */
  isInUse(id: AddressId): Promise<boolean>
}

export function createAddresses({ db }: { db: AppDb }): Addresses {
  return {
    async find(emailKey) {
      const row = await db.selectFrom('address').select('id').where('email_key', '=', emailKey).executeTakeFirst()
      return row ? (row.id as AddressId) : null
    },
    give: ({ emailKey, id, under }) =>
      db.transaction().execute(async (tx) => {
        if (under && !(await isLeased(tx, under))) return null
        const row = await tx
          .insertInto('address')
          .values({ email_key: emailKey, id })
          // An update that changes nothing: only of a row that is written to does the statement answer the id.
          .onConflict((conflict) => conflict.column('email_key').doUpdateSet({ email_key: emailKey }))
          .returning('id')
          .executeTakeFirstOrThrow()
        return row.id as AddressId
      }),
    async remove(id) {
      await db.deleteFrom('address').where('id', '=', id).execute()
    },
    async listWithoutCredential() {
      const rows = await db
        .selectFrom('address as a')
        .leftJoin('credential as c', 'c.email_key', 'a.email_key')
        .select('a.id')
        .where('c.member', 'is', null)
        .execute()
      return rows.map((row) => row.id as AddressId)
    },
    async isInUse(id) {
      const row = await db
        .selectFrom('address as a')
        .select('a.id')
        .where('a.id', '=', id)
        .where(({ or, exists, selectFrom }) =>
          or([
            exists(selectFrom('credential as c').select('c.member').whereRef('c.email_key', '=', 'a.email_key')),
            exists(selectFrom('signup_proof as p').select('p.id').whereRef('p.email_key', '=', 'a.email_key')),
          ]),
        )
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
