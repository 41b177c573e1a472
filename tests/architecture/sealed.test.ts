import { expect, test } from 'vitest'
import { PAPERS_PURPOSE } from '../../server/tools/keys/sealed-papers.ts'
import { SEALED_TABLES } from '../../server/tools/keys/sealed-tables.ts'
import { sources } from './source.ts'

/** What is made of the master key and not sealed again, and why that is well. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'master-key-id': 'a name',
  'backup-manifest': 'a backup keeps the key it was made under',
  'grid offsets': 'kept for ever, sealed as kept-keys',
  'idempotency-request': 'rows under the key before are deleted',
  'carried-forms': 'of the secret of media, and for minutes alone',
  'chain-mac': 'sealed again by sealed-chain.ts',
  'chain-sign': 'signed again by sealed-chain.ts',
}

test('whatever the master key seals is sealed again when it is rotated', () => {
  const made = /(?:createBox|deriveKey|derive)\([^()]*(?:\([^()]*\))?[^()]*?'([^']+)'\)/g
  const files = sources(['eventstore', 'services', 'usecases', 'server'])
  const found = new Set(
    files
      // Signers of other secrets than the master key derive theirs by `createSigner`.
      .flatMap(({ text }) => [...text.matchAll(made)].map(([, purpose]) => purpose!)),
  )
  const known = [...SEALED_TABLES.map(({ purpose }) => purpose), PAPERS_PURPOSE, ...Object.keys(OTHERWISE)]
  expect([...found].sort()).toEqual(known.sort())
})
