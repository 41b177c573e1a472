import { expect, test } from 'vitest'
import { watchShownLog } from '../../../server/waiting/shown-log.ts'
import { until } from '../../support/until.ts'

/** Looks that a test answers: true where rows are of another log. */
function start() {
  const looks: ((showsOther: boolean | Promise<boolean>) => void)[] = []
  const done: string[] = []
  const watch = watchShownLog(
    () => new Promise<boolean>((resolve) => looks.push(resolve)),
    (error) => done.push(error.message),
    { everyMs: 1, againMs: 1 },
  )
  return { watch, looks, done, work: async () => void done.push('work') }
}

async function behindSetBack() {
  const rig = start()
  const first = rig.watch.start()
  rig.looks[0]!(true)
  await first
  await rig.watch.onceShown(rig.work)
  await until('it looks again', () => rig.looks.length === 2)
  expect([rig.watch.isShown(), rig.done]).toEqual([false, []])
  return rig
}

test('what waits for the log of now is done behind the look that finds it', async () => {
  const { watch, looks, done } = await behindSetBack()
  looks[1]!(false)
  await until('it is done', () => done.length > 0)
  expect([watch.isShown(), done]).toEqual([true, ['work']])
})

test('a look that ends after a stop begins nothing any more', async () => {
  const { watch, looks, done } = await behindSetBack()
  watch.stop()
  looks[1]!(false)
  await new Promise(setImmediate)
  expect(done).toEqual([])
})

test('a log that is set back while it is shown ends the process, and a database that does not answer does not', async () => {
  const { watch, looks, done } = await behindSetBack()
  looks[1]!(false)
  await until('it looks again', () => looks.length === 3)
  looks[2]!(Promise.reject(new Error('No answer.')))
  await until('it looks once more', () => looks.length === 4)
  expect([watch.isShown(), done]).toEqual([true, ['work']])
  looks[3]!(true)
  await until('it ends', () => done.length > 1)
  expect(done).toEqual(['work', 'The log was set back while this process was up.'])
})
