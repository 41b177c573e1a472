import type { Guard } from './guard.ts'

const TESTS = 'tests/eventstore/snapshots'
const snapshotTest = (file: string, title: string) => ({ project: 'eventstore', file: `${TESTS}/${file}`, title })

/** Without these a snapshot would be more than lost time, or stay where a member is erased. */
export const SNAPSHOT_GUARDS: readonly Guard[] = [
  {
    name: 'version of the fold of a snapshot',
    file: 'eventstore/snapshots/snapshots.ts',
    with: 'and version = $3',
    without: 'and $3::int is not null',
    test: snapshotTest('snapshots.test.ts', 'a snapshot that another version of the fold made is not used'),
  },
  {
    name: 'log of a snapshot',
    file: 'eventstore/snapshots/snapshots.ts',
    with: 'and log_id = $2',
    without: 'and $2::text is not null',
    test: snapshotTest('snapshots.test.ts', 'a snapshot of another log is not used'),
  },
  {
    name: 'event that a snapshot ends with',
    file: 'eventstore/stream-loader.ts',
    with: 'else if (first && anchorOf(first) === anchor)',
    without: 'else if (first)',
    test: snapshotTest(
      'snapshots.test.ts',
      'a snapshot is not used of a history that went another way, nor are its commands known',
    ),
  },
  {
    name: 'commands behind a snapshot',
    file: 'eventstore/stream-loader.ts',
    with: 'folded.older.find(commandId)',
    without: '[] as { revision: number; count: number }[]',
    test: snapshotTest(
      'snapshots.test.ts',
      'a command of long ago is a repeat, in whichever process, and another one with its id is refused',
    ),
  },
  {
    name: 'look at the command that shares a hash',
    file: 'eventstore/stream-loader.ts',
    with: 'if (stored[0]?.metadata.commandId !== commandId) continue',
    without: 'if (!stored[0]) continue',
    test: snapshotTest('snapshots.test.ts', 'a command whose id is taken for an older one is carried out'),
  },
  {
    name: 'lock of a snapshot on the keys of its members',
    file: 'eventstore/snapshots/snapshots.ts',
    with: ' for share)',
    without: ')',
    test: snapshotTest('in-the-way.test.ts', 'an erasure waits for a snapshot that is being written, or this sees it'),
  },
  {
    name: 'snapshots in the places of an erasure',
    file: 'services/erasure.ts',
    with: "  { table: 'snapshot', column: 'stream', by: 'member', holds: 'within', elsewhere: false },\n",
    without: '',
    test: {
      project: 'server',
      file: 'tests/server/erasure/snapshots.test.ts',
      title: 'an erasure counts and removes the snapshots of the member, and those of nobody else',
    },
  },
]
