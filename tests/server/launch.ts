import { startPostgres } from '../../server/embedded/postgres/launcher.ts'

/** A parent of an embedded Postgres, as a program of its own: prints where it runs, stops when its input ends. */
const [dataDir = ''] = process.argv.slice(2)
try {
  const postgres = await startPostgres({ dataDir, fast: true })
  process.stdout.write(
    `${JSON.stringify({ pid: postgres.pid, dataDir: postgres.dataDir, config: postgres.clientConfig('postgres') })}\n`,
  )
  process.stdin.resume()
  process.stdin.once('end', () => void postgres.stop())
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`)
}
