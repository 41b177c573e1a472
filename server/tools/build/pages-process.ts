import { build } from 'vite'

/** Bundles the pages of the folder it is started in, for the browser and for the server. It dies with its parent. */
process.once('disconnect', () => process.exit(1))
const logLevel = process.argv[2] === 'quiet' ? 'error' : 'info'
const options = { root: process.cwd(), logLevel, mode: 'production' } as const
await build(options)
await build({ ...options, build: { ssr: true } })
process.exit(0)
