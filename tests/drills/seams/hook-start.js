// A worker does not take over how its parent reads TypeScript.
import { isMainThread } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

if (!isMainThread) register()
await import('./hook.ts')
